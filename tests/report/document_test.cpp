#include "report/document.hpp"

#include <gtest/gtest.h>

namespace accrete::report {
namespace {

constexpr const char* nasty = "<b>&\"|*x*`";

std::string page_of(Block block) {
  Document document{"title"};
  document.add(std::move(block));
  return to_page(document, std::nullopt).html();
}

TEST(Document, EveryTextIsEscaped) {
  const std::string escaped = "&lt;b&gt;&amp;&quot;|*x*`";
  const Sheet sheet{"s", {nasty, "b"}, {{{nasty}}, {{nasty, nasty}, {nasty, nasty, Tone::best}}}, nasty};
  for (const Block& block : {Block(Heading{nasty, 3}), Block(Paragraph{nasty}), Block(Commands{nasty}), Block(sheet)}) {
    const std::string html = page_of(block);
    EXPECT_NE(html.find(escaped), std::string::npos);
    EXPECT_EQ(html.find("<b>&\""), std::string::npos) << html;
  }
}

TEST(Document, TheBestIsBoldAndShadedAndItsNoteSmall) {
  const std::string html = page_of(Sheet{"s", {"a", "b"}, {{{"row"}, {"12.5", "11.0", Tone::best}}}});
  EXPECT_NE(html.find("<th scope=\"row\">row</th><td class=\"best short\"><b>12.5</b><small>11.0</small></td>"),
            std::string::npos)
      << html;
}

TEST(Document, ARowOfOneEntryIsAHeadingOverAllColumns) {
  const std::string html = page_of(Sheet{"s", {"a", "b", "c"}, {{{"over"}}}});
  EXPECT_NE(html.find("colspan=\"3\">over</th>"), std::string::npos) << html;
}

TEST(Document, FoldedSheetsHaveASummary) {
  EXPECT_NE(page_of(Sheet{"s", {"a"}, {}, "words"}).find("<details><summary>words</summary>"), std::string::npos);
  EXPECT_EQ(page_of(Sheet{"s", {"a"}, {}}).find("<details>"), std::string::npos);
}

TEST(Document, FieldsAreInPanels) {
  Document document{"title"};
  document.add(Figure{"plot", "", Plot{.title = "p", .x = {.label = ""}, .y = {.label = ""}}});
  document.add(Figure{"field", "", Field{.title = "f", .side = 1, .values = {0.5}}});
  document.add(Figure{"field-2", "", Field{.title = "g", .side = 1, .values = {0.5}}});
  const std::string html = to_page(document, std::nullopt).html();
  const auto plot = html.find("<div class=\"figures\">"), panels = html.find("<div class=\"panels\">");
  ASSERT_NE(plot, std::string::npos);
  ASSERT_NE(panels, std::string::npos);
  EXPECT_LT(plot, panels);
  EXPECT_EQ(html.find("<div class=\"panels\">", panels + 1), std::string::npos) << "neighbours share one";
}

}  // namespace
}  // namespace accrete::report
