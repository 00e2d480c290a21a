// accrete compare.

#include <fmt/format.h>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test {
namespace {

class CompareCommand : public CommandTest {
 protected:
  CompareCommand() { ok("data make ringnorm2 -n 120 -o r.csv"); }
};

TEST_F(CompareCommand, RanksTheGivenMethods) {
  const auto result = json("compare r.csv --folds 3 --methods paper,lbfgs,adaboost");
  EXPECT_EQ(result["fits"], 9);
  ASSERT_EQ(result["methods"].size(), 3u);
  double before = 2.0;
  for (const auto& method : result["methods"]) {
    const double mean = method["metrics"]["accuracy"]["mean"];
    EXPECT_LE(mean, before) << "best first";
    before = mean;
    EXPECT_EQ(method["scores"].size(), 3u);
  }
  EXPECT_FALSE(result["methods"][0].contains("difference"));
  EXPECT_TRUE(result["methods"][1].contains("wilcoxon_p"));
}

TEST_F(CompareCommand, LeavesOutMethodsThatCannotLearnTheTarget) {
  std::string text = "x,y,z\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("{},{}.5,{}.5\n", i, i, 2 * i);
  write("two.csv", text);
  const std::string arguments = "compare --target y,z --folds 2 --methods lbfgs,adaboost two.csv";
  const auto result = json(arguments);
  ASSERT_EQ(result["methods"].size(), 1u);
  EXPECT_EQ(result["methods"][0]["method"], "lbfgs");
  EXPECT_EQ(result["left_out"][0]["method"], "adaboost");
  const std::string table = ok(arguments);
  EXPECT_NE(table.find("left out"), std::string::npos) << table;
  EXPECT_NE(table.find("it predicts one target, not 2"), std::string::npos) << table;
  EXPECT_EQ(run("compare --target y,z --methods adaboost two.csv").code, 2) << "no method is left";
}

TEST_F(CompareCommand, GivesTheSameScoresForAnyThreadsAndFromTheStore) {
  const std::string arguments =
      "compare r.csv --folds 3 --methods paper,lbfgs --quiet --store s.sqlite --json --threads ";
  const auto scores = [&](const std::string& threads) {
    std::vector<nlohmann::json> all;
    for (const auto& method : nlohmann::json::parse(ok(arguments + threads))["methods"])
      all.push_back(method["scores"]);
    return all;
  };
  const auto first = scores("2");
  fs::remove(path("s.sqlite"));
  EXPECT_EQ(scores("1"), first);
  EXPECT_NE(run("compare r.csv --folds 3 --methods paper,lbfgs --store s.sqlite").err.find("6 more found in"),
            std::string::npos);
}

TEST_F(CompareCommand, WritesAPageWithTableAndCharts) {
  const CommandResult end = run("compare r.csv --folds 3 --methods paper,lbfgs -o page.html");
  if (end.code == 1) GTEST_SKIP() << end.err;  // a build without pages
  const std::string page = read_file(path("page.html"));
  for (const char* part : {"Methods compared on r.csv", "Error rate", "Scores per fold", "Time per fit",
                           "a network of 100 units trained by L-BFGS"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(run("compare r.csv -o r.csv").code, 2) << "the input is not overwritten";
}

TEST_F(CompareCommand, ReportsErrorsInOneLine) {
  for (const auto& [arguments, code, expected] : std::vector<std::tuple<std::string, int, std::string>>{
           {"compare r.csv --methods paper,forest", 2, "--methods forest: must be from accrete, paper, adam"},
           {"compare r.csv --metric rmse --methods paper", 2, "--metric rmse is not for a binary task"},
           {"compare r.csv --store r.csv", 2, "this file is an input"},
           {"compare r.csv --folds 90", 1, "fewer than the 90 folds"},
           {"compare none.csv", 1, "none.csv"}}) {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_NE(end.err.find(expected), std::string::npos) << end.err;
  }
}

}  // namespace
}  // namespace accrete::cli_test
