#include <gtest/gtest.h>

#include <sstream>

#include "report/pages/document.hpp"

namespace accrete::report::markdown_test {
namespace {

std::string markdown_of(std::vector<DocumentPart> blocks) {
  return to_markdown({"Title", std::move(blocks)}, "figures");
}

TEST(Markdown, WritesHeadingsParagraphsAndCommands) {
  EXPECT_EQ(markdown_of({Heading{"Two"}, Heading{"Three", 3}, Paragraph{"words"}, Commands{"a b\nc"}}),
            "# Title\n\n## Two\n\n### Three\n\nwords\n\n```sh\na b\nc\n```\n");
}

TEST(Markdown, WritesTablesWithGroupsNotesAndTheBest) {
  const RichTable table{"s", {"task", "ours"}, {{{"Group"}}, {{"a|b"}, {"12", "11", Tone::best}}}};
  EXPECT_EQ(markdown_of({table}),
            "# Title\n\n| task | ours |\n|---|---|\n| **Group** |  |\n| a\\|b | **12**<br><sub>11</sub> |\n");
}

TEST(Markdown, CollapsesFoldedTables) {
  EXPECT_EQ(markdown_of({RichTable{"s", {"a"}, {}, "more"}}),
            "# Title\n\n<details><summary>more</summary>\n\n| a |\n|---|\n\n</details>\n");
}

TEST(Markdown, WrapsLongParagraphs) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word ";
  std::istringstream lines(markdown_of({Paragraph{words}}));
  std::size_t longest = 0, count = 0;
  for (std::string line, word; std::getline(lines, line);) {
    longest = std::max(longest, line.size());
    for (std::istringstream in(line); in >> word;) count += word == "word";
  }
  EXPECT_LE(longest, 120u);
  EXPECT_GT(longest, 100u);
  EXPECT_EQ(count, 100u);
}

TEST(Markdown, LinksFiguresWithTheirNumbers) {
  const Figure figure{"one", "what to see", HeatMap{.title = "G"}, {{"n"}, {{"1"}}}};
  const std::string text = markdown_of({figure});
  EXPECT_NE(text.find("![G](figures/one.svg)\n\nwhat to see\n"), std::string::npos) << text;
  EXPECT_NE(text.find("<summary>Numbers</summary>\n\n| n |\n|---|\n| 1 |\n"), std::string::npos) << text;
}

TEST(Markdown, PutsFiveFieldsOnALine) {
  std::vector<DocumentPart> blocks;
  for (int i = 0; i < 7; ++i) blocks.push_back(Figure{"f" + std::to_string(i), "", Field{.title = "t"}});
  const std::string text = markdown_of(std::move(blocks));
  EXPECT_NE(text.find("| ![t](figures/f0.svg) | ![t](figures/f1.svg) |"), std::string::npos) << text;
  EXPECT_NE(
      text.find("![t](figures/f4.svg) |\n|---|---|---|---|---|\n| ![t](figures/f5.svg) | ![t](figures/f6.svg) |\n"),
      std::string::npos)
      << text;
}

TEST(Markdown, EscapesNames) {
  EXPECT_EQ(markdown_of({Paragraph{"*a* <b> [c] `d` learning_rate"}}),
            "# Title\n\n\\*a\\* \\<b> \\[c\\] \\`d\\` learning_rate\n");
}

}  // namespace
}  // namespace accrete::report::markdown_test
