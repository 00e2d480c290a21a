// accrete compare.

#include <fmt/format.h>

#include <cmath>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::compare_test {
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

TEST_F(CompareCommand, SaysInOneLineWhichPeersAreNotInstalled) {
  write("no-python", "");
  ::setenv("ACCRETE_PYTHON", path("no-python").c_str(), 1);
  const std::string text = ok("compare r.csv --folds 2");
  const auto at = text.find("left out  trees, forest, xgboost, lightgbm: not installed");
  EXPECT_NE(at, std::string::npos) << text;
  const CommandResult end = run("compare r.csv --folds 2 --methods paper,forest");
  ::unsetenv("ACCRETE_PYTHON");
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("--methods forest: scikit-learn is not installed"), std::string::npos) << end.err;
}

/// A stand-in for Python that predicts the same probabilities for all rows.
TEST_F(CompareCommand, ScoresThePredictionsOfAPeer) {
  write("python", R"(#!/bin/sh
if [ "$3" = versions ]; then echo '{"scikit-learn": "1.0"}' > "$4"; exit 0; fi
n=$(wc -c < "$3/test.f64"); rows=$((n / 16))
: > "$3/predictions.f64"
for i in $(seq $rows); do printf '\000\000\000\000\000\000\350\077\000\000\000\000\000\000\320\077' >> "$3/predictions.f64"; done
echo 0.25 > "$3/seconds.txt"
)");
  fs::permissions(path("python"), fs::perms::owner_all);
  ::setenv("ACCRETE_PYTHON", path("python").c_str(), 1);
  const auto result = json("compare r.csv --folds 2 --methods forest");
  const auto cv = json("cv r.csv --folds 2 --method forest");
  ::unsetenv("ACCRETE_PYTHON");
  const auto& metrics = result["methods"][0]["metrics"];
  const double accuracy = metrics["accuracy"]["mean"];
  EXPECT_GT(accuracy, 0.3);
  EXPECT_NEAR(metrics["log_loss"]["mean"], -accuracy * std::log(0.75) - (1.0 - accuracy) * std::log(0.25), 1e-12);
  EXPECT_EQ(result["methods"][0]["seconds"], 0.25);
  EXPECT_EQ(cv["metrics"]["log_loss"]["mean"], result["methods"][0]["metrics"]["log_loss"]["mean"]);
}

TEST_F(CompareCommand, CrossValidatesAMethodAsCompareDoes) {
  const auto compared = json("compare r.csv --folds 3 --methods lbfgs")["methods"][0];
  const auto cv = json("cv r.csv --folds 3 --method lbfgs --per-fold");
  EXPECT_EQ(cv["method"], "lbfgs");
  EXPECT_EQ(cv["metrics"]["accuracy"]["mean"], compared["metrics"]["accuracy"]["mean"]);
  for (std::size_t f = 0; f < 3; ++f) EXPECT_EQ(cv["folds"][f]["metrics"]["accuracy"], compared["scores"][f]);
  EXPECT_EQ(run("cv r.csv --method lbfgs --units 8").code, 2) << "a parameter of another method";
  EXPECT_EQ(run("cv r.csv --method nothing").code, 2);
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
  EXPECT_EQ(run("compare --target y,z --methods adaboost two.csv").code, 2)
      << "the only method cannot predict two targets";
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
           {"compare r.csv --methods paper,shrubbery", 2, "--methods shrubbery: must be from accrete, paper, adam"},
           {"compare r.csv --metric rmse --methods paper", 2,
            "--metric rmse is not for a binary task; allowed: accuracy, log_loss"},
           {"compare r.csv --store r.csv", 2, "--store r.csv: is an input; name another file"},
           {"compare r.csv --folds 90", 1, "fewer than the 90 folds"},
           {"compare none.csv", 1, "none.csv"}}) {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_NE(end.err.find(expected), std::string::npos) << end.err;
  }
}

}  // namespace
}  // namespace accrete::cli_test::compare_test
