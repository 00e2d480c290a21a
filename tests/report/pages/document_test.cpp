#include "report/pages/document.hpp"

#include <gtest/gtest.h>

namespace accrete::report::document_test {
namespace {

constexpr const char* nasty = "<b>&\"|*x*`";

std::string page_of(DocumentPart block) {
  Document document{"title"};
  document.add(std::move(block));
  return to_page(document, std::nullopt).html();
}

TEST(Document, EscapesEveryText) {
  const std::string escaped = "&lt;b&gt;&amp;&quot;|*x*`";
  const RichTable table{"s", {nasty, "b"}, {{{nasty}}, {{nasty, nasty}, {nasty, nasty, Tone::best}}}, nasty};
  for (const DocumentPart& block : {DocumentPart(Heading{nasty, 3}), DocumentPart(Paragraph{nasty}),
                                    DocumentPart(Commands{nasty}), DocumentPart(table)}) {
    const std::string html = page_of(block);
    EXPECT_NE(html.find(escaped), std::string::npos);
    EXPECT_EQ(html.find("<b>&\""), std::string::npos) << html;
  }
}

TEST(Document, HighlightsTheBestAndShrinksNotes) {
  const std::string html = page_of(RichTable{"s", {"a", "b"}, {{{"row"}, {"12.5", "11.0", Tone::best}}}});
  EXPECT_NE(html.find("<th scope=\"row\">row</th><td class=\"best short\"><b>12.5</b><small>11.0</small></td>"),
            std::string::npos)
      << html;
}

TEST(Document, RendersSingleEntriesAsHeadings) {
  const std::string html = page_of(RichTable{"s", {"a", "b", "c"}, {{{"over"}}}});
  EXPECT_NE(html.find("colspan=\"3\">over</th>"), std::string::npos) << html;
}

TEST(Document, CollapsesFoldedTables) {
  EXPECT_NE(page_of(RichTable{"s", {"a"}, {}, "words"}).find("<details><summary>words</summary>"), std::string::npos);
  EXPECT_EQ(page_of(RichTable{"s", {"a"}, {}}).find("<details>"), std::string::npos);
}

TEST(Document, GroupsFieldsInPanels) {
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
}  // namespace accrete::report::document_test
