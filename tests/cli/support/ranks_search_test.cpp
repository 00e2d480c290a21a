// Fits that ranks share: accrete search and accrete experiment run.

#include <fmt/format.h>

#include "tests/cli/run_ranks.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::cli_test::ranks_search_test {
namespace {

class RanksSearch : public RanksTest {
 protected:
  void SetUp() override {
    RanksTest::SetUp();
    if (IsSkipped()) return;
    ok("data make tic-tac-toe -o t.csv");
    write("grid.json", R"({"learning_rate": [0.1, 0.5], "subsample": [1, 0.5], "units": [6, 12]})");
  }

  const std::string words_ = "search t.csv --grid grid.json --folds 3 --max-iter 5";
};

TEST_F(RanksSearch, GivesTheResultsOfOneProcess) {
  const std::string one = ok(words_ + " --nested 2 -o one.safetensors");
  for (const std::size_t ranks : {2, 3}) {
    const CommandResult end = run_ranks(ranks, words_ + " --nested 2 -o m.safetensors");
    ASSERT_EQ(end.code, 0) << end.err;
    std::string expected = one;
    for (std::size_t at; (at = expected.find("one.safetensors")) != expected.npos;)
      expected.replace(at, 15, "m.safetensors");
    EXPECT_EQ(end.out, expected) << "printed once, by rank 0";
    EXPECT_EQ(own_lines(end.err), 1u) << "how long it took: " << end.err;
    EXPECT_TRUE(read_file(path("m.safetensors")) == read_file(path("one.safetensors"))) << ranks;
  }
}

TEST_F(RanksSearch, FillsOneStoreThatAnyNumberOfRanksFinds) {
  const CommandResult first = run_ranks(3, words_ + " --store s.sqlite --json");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("12 fits in"), std::string::npos) << first.err;
  for (const std::size_t ranks : {1, 2}) {
    const CommandResult again =
        ranks == 1 ? run(words_ + " --store s.sqlite --json") : run_ranks(ranks, words_ + " --store s.sqlite --json");
    EXPECT_NE(again.err.find("0 fits in"), std::string::npos) << again.err;
    EXPECT_NE(again.err.find("12 more found in s.sqlite"), std::string::npos) << again.err;
    EXPECT_EQ(nlohmann::json::parse(again.out)["tried"], nlohmann::json::parse(first.out)["tried"]);
  }
}

TEST_F(RanksSearch, AFailingRankEndsAll) {
  expect_error(run_ranks(2, "search t$(test $rank = 0 || echo 1).csv --grid grid.json"), 1, "rank 1: ");
  expect_error(run_ranks(2, "search missing.csv --grid grid.json"), 1, "missing.csv");
  expect_error(run_ranks(2, words_ + " --device cuda"), 2,
               "cross-validation and searches across ranks run on the CPU only");
  expect_error(run_ranks(2, "search - --grid grid.json"), 2,
               "standard input cannot be read by several ranks; name a file");
}

TEST_F(RanksSearch, AnExperimentHasTheResultsOfOneProcess) {
  experiment::write_invented(path("data"), {"iris", "tic-tac-toe"});
  const std::string words = "experiment run table --data data --tasks iris,tic-tac-toe --methods adam --store ";
  ok(words + "one.sqlite");
  const CommandResult end = run_ranks(3, words + "shared.sqlite");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(lines(end.out), lines(ok(words + "one.sqlite"))) << "printed once";
  EXPECT_EQ(experiment::results_in(path("shared.sqlite").string()),
            experiment::results_in(path("one.sqlite").string()));
  const CommandResult again = run(words + "shared.sqlite");
  EXPECT_NE(again.out.find("200, of which 200 were found"), std::string::npos) << again.out;
}

TEST_F(RanksSearch, ExperimentsThatMeasureTimeAreRefused) {
  expect_error(run_ranks(2, "experiment run times --data data --store s.sqlite"), 2, "'times' runs in one process");
  expect_error(run_ranks(2, "experiment list"), 2, "'experiment list' runs in one process");
}

}  // namespace
}  // namespace accrete::cli_test::ranks_search_test
