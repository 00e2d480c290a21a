#include "report/pages/page.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace accrete::report::pages_page_test {
namespace {

constexpr const char* nasty = "</script><b>&\"'M\u00fcller \u4e2d\u6587";

Page nasty_page() {
  Page page(nasty, std::nullopt);
  page.heading(nasty);
  page.paragraph(nasty);
  page.table({{nasty, "n"}, {{nasty, "12.5 %"}}}, "numbers");
  Plot plot{.title = nasty, .x = {.label = nasty}, .y = {.label = nasty}};
  plot.series.push_back({.name = nasty, .x = {1.0, 2.0}, .y = {3.0, 4.0}});
  page.figure({"one", nasty, plot, {{nasty}, {{nasty}}}});
  page.data("facts", {{"name", nasty}});
  return page;
}

/// The text of the script element with that id.
std::string json_text(const std::string& html, const std::string& id) {
  const std::string begin = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t at = html.find(begin);
  if (at == std::string::npos) return "";
  return html.substr(at + begin.size(), html.find("</script>", at) - at - begin.size());
}

TEST(Page, EscapesNames) {
  const std::string html = nasty_page().html();
  EXPECT_EQ(html.find("</script><b>"), std::string::npos);
  EXPECT_EQ(html.find("&\"'"), std::string::npos);
  EXPECT_NE(html.find("<h1>&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39;M\u00fcller \u4e2d\u6587</h1>"), std::string::npos);
  EXPECT_EQ(Json::parse(json_text(html, "facts"))["name"], nasty) << "JSON is read back unchanged";
  EXPECT_EQ(Json::parse(json_text(html, "charts"))["one"]["title"], nasty);
}

TEST(Page, LoadsNothingFromOtherFiles) {
  // XML namespaces look like addresses but are not fetched.
  const std::string html =
      std::regex_replace(nasty_page().html(), std::regex("http://www\\.w3\\.org/[A-Za-z0-9/]*"), "");
  for (const char* fetched : {"http:", "https:", "href=\"//", "src=\"//", "@import", "url("})
    EXPECT_EQ(html.find(fetched), std::string::npos) << html.substr(html.find(fetched), 80);
  EXPECT_EQ(html.find("<script src"), std::string::npos);
  EXPECT_NE(html.find("Copyright (c) 2010-2016, Michael Bostock"), std::string::npos)
      << "the page contains the licence of D3";
}

TEST(Page, OpensTablesWithoutGnuplot) {
  const std::string html = nasty_page().html();
  EXPECT_NE(html.find("gnuplot was not installed"), std::string::npos);
  EXPECT_NE(html.find("<details open>"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
}

TEST(Page, EmbedsPicturesWithGnuplot) {
  const auto gnuplot = Gnuplot::find();
  if (!gnuplot) GTEST_SKIP() << "gnuplot is not installed";
  Page page("title", gnuplot);
  Plot plot{.title = "p", .x = {.label = "x"}, .y = {.label = "y"}};
  plot.series.push_back({.x = {1.0, 2.0}, .y = {3.0, 4.0}});
  page.figure({"one", "", plot, {{"x"}, {{"1"}}}});
  const std::string html = page.html();
  EXPECT_NE(html.find("<img alt=\"p\" src=\"data:image/svg+xml;base64,"), std::string::npos);
  EXPECT_NE(html.find("<details><summary>"), std::string::npos);
  EXPECT_EQ(page.figures().size(), 1u);
}

TEST(Page, RightAlignsNumbersOnly) {
  Page page("title", std::nullopt);
  page.table({{"name", "a", "b", "c"}, {{"1", "-1.5e-3", "12.50 %", "398 rows"}}});
  const std::string html = page.html();
  EXPECT_NE(html.find("<td class=\"number\">-1.5e-3</td><td class=\"number\">12.50 %</td><td>398 rows</td>"),
            std::string::npos)
      << html;
}

TEST(Page, HasNoScriptWithoutFigures) {
  Page page("title", std::nullopt);
  page.paragraph("words");
  EXPECT_EQ(page.html().find("<script"), std::string::npos);
}

}  // namespace
}  // namespace accrete::report::pages_page_test
