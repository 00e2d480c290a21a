#include "report/experiment/page.hpp"

#include <gtest/gtest.h>

#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::experiment_page_test {
namespace {

TEST(ExperimentPage, HasASectionPerKindOfResult) {
  const Document document = experiment_document(read_experiments(invented_everything()));
  const std::string html = to_page(document, std::nullopt).html(), text = to_markdown(document, "figures");
  for (const char* words :
       {"tasks, profile quick", "Which methods differ", "Wins, ties and losses of GBNN", "GBNN compared with the paper",
        "How often each setting was chosen", "Scores over units", "Training times", "Decision boundaries",
        "30 of 156 cells; seed 7", "accrete experiment run boundary --profile quick --seed 7 --store",
        "accrete experiment run times --data DIR --profile quick"}) {
    EXPECT_NE(html.find(words), std::string::npos) << words;
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
  for (const Figure& figure : figures_of(document))
    EXPECT_NE(text.find("(figures/" + figure.id + ".svg)"), std::string::npos) << figure.id;
}

TEST(ExperimentPage, OmitsSectionsWithoutResults) {
  const Document document = experiment_document(read_experiments({invented_boundary("gbnn")}));
  const std::string text = to_markdown(document, "figures");
  EXPECT_EQ(text.find("on the paper's tasks"), std::string::npos);
  EXPECT_EQ(text.find("run table"), std::string::npos);
  EXPECT_NE(text.find("run boundary"), std::string::npos);
  EXPECT_TRUE(read_experiments({}).empty());
}

TEST(ExperimentPage, OmitsComparisonsOfASingleMethodAndShowsItsCommand) {
  auto cell = invented_cell("iris", "gbnn", 0.9);
  cell.profile = "paper";
  cell.device = "cuda";
  const Document document = experiment_document(read_experiments({experiment::to_result(cell)}));
  const std::string text = to_markdown(document, "figures");
  EXPECT_NE(text.find("run table --data DIR --tasks iris --methods gbnn --device cuda --profile paper"),
            std::string::npos);
  EXPECT_NE(text.find("GBNN on the paper's tasks, profile paper"), std::string::npos);
  EXPECT_NE(text.find("GBNN compared with the paper"), std::string::npos);
  EXPECT_EQ(text.find("Which methods differ"), std::string::npos);
  EXPECT_EQ(text.find("Deep-NN"), std::string::npos);
  EXPECT_EQ(row_of(table_with_id(document, "table-paper"), "Iris").at(1).text, "90.00 (1.05)");
}

TEST(ExperimentPage, HasASectionPerProfile) {
  std::vector<store::Result> kept;
  for (const char* method : {"gbnn", "adam"}) {
    auto cell = invented_cell("iris", method, 0.8);
    kept.push_back(experiment::to_result(cell));
    cell = invented_cell("iris", method, 0.9);
    cell.profile = "paper";
    kept.push_back(experiment::to_result(cell));
  }
  const auto results = read_experiments(kept);
  ASSERT_EQ(results.size(), 2u);
  const Document document = experiment_document(results);
  EXPECT_EQ(row_of(table_with_id(document, "table-quick"), "Iris").at(1).text, "80.00 (1.05)");
  EXPECT_EQ(row_of(table_with_id(document, "table-paper"), "Iris").at(1).text, "90.00 (1.05)");
}

TEST(ExperimentPage, IgnoresTheOrderOfTheStore) {
  auto results = invented_everything();
  const std::string text = to_markdown(experiment_document(read_experiments(results)), "figures");
  std::reverse(results.begin(), results.end());
  EXPECT_EQ(to_markdown(experiment_document(read_experiments(results)), "figures"), text);
}

}  // namespace
}  // namespace accrete::report::experiment_page_test
