// Rows and folds that ranks divide: accrete predict, accrete evaluate and accrete cv.

#include <fmt/format.h>

#include "tests/cli/run_ranks.hpp"

namespace accrete::cli_test::ranks_rows_test {
namespace {

class RanksRows : public RanksTest {
 protected:
  static constexpr std::size_t rows = 1500;

  /// Numbers, categories, dates, missing values and weights; a class 'rare' that the model does not know.
  void SetUp() override {
    RanksTest::SetUp();
    if (IsSkipped()) return;
    std::string train = "a,b,day,w,y\n", parts[3];
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t x = r * 7919 % 1000;
      const std::string cells =
          fmt::format("{},{},2024-{:02}-{:02},{}", x % 17 == 0 ? "" : fmt::format("{}", static_cast<double>(x) / 100),
                      x % 3 == 0 ? "red" : "green, dark", 1 + x % 12, 1 + r % 28, 1 + x % 4);
      const std::string quoted =
          x % 3 == 0 ? cells : fmt::format("{}", cells).replace(cells.find("green"), 11, "\"green, dark\"");
      const std::string label = x % 2 == 0 ? "even" : "odd";
      train += quoted + "," + label + "\n";
      parts[r * 3 / rows] += quoted + "," + (r == 1200 ? "rare" : label) + "\n";
    }
    write("train.csv", train);
    write("test.csv", "a,b,day,w,y\n" + parts[0] + parts[1] + parts[2]);
    for (std::size_t i = 0; i < 3; ++i) write(fmt::format("part-{}.csv", i), "a,b,day,w,y\n" + parts[i]);
    ok("train train.csv --ignore w --auto off --units 12 --units-per-step 3 --max-iter 8 -o m.safetensors");
  }

  /// The same output on any number of ranks, from one file and from several.
  void expect_same(const std::string& words, const std::string& more = "") const {
    const std::string one = ok(fmt::format("{} test.csv {}", words, more));
    for (const std::size_t ranks : {2, 3})
      for (const char* file : {"test.csv", "'part-*.csv'"}) {
        const CommandResult end = run_ranks(ranks, fmt::format("{} {} {}", words, file, more));
        ASSERT_EQ(end.code, 0) << end.err;
        EXPECT_EQ(end.out, one) << ranks << " ranks, " << file;
        EXPECT_LE(own_lines(end.err), 1u) << "a note: " << end.err;
      }
  }
};

/// The bytes of one process, from one file and from several.
TEST_F(RanksRows, TrainOnDatesCategoriesAndMissingValues) {
  for (const char* more : {"", "--validation test.csv --patience 2", "--validation-fraction 0.2 --metric accuracy"}) {
    const std::string words =
        fmt::format("--weight-column w --auto off --units 12 --units-per-step 3 --max-iter 8 {}", more);
    const std::string validation = read_file(path("train.csv")).substr(0, 20'000);
    write("test.csv", validation.substr(0, validation.rfind('\n') + 1));
    ok(fmt::format("train train.csv {} -o one.safetensors", words));
    for (const std::size_t ranks : {2, 3}) {
      const CommandResult end = run_ranks(ranks, fmt::format("train train.csv {} -o shared.safetensors", words));
      ASSERT_EQ(end.code, 0) << end.err;
      EXPECT_TRUE(read_file(path("shared.safetensors")) == read_file(path("one.safetensors")))
          << ranks << " ranks " << more;
    }
  }
}

TEST_F(RanksRows, ValidationRowsThatOneRankCannotReadEndAll) {
  const std::string words = "train train.csv --auto off --units 6 -o n.safetensors --validation";
  expect_error(run_ranks(2, words + " $(test $rank = 0 && echo train.csv || echo missing.csv)"), 1, "rank 1: ");
  EXPECT_FALSE(exists("n.safetensors"));
}

TEST_F(RanksRows, PredictToStandardOutput) {
  expect_same("predict m.safetensors", "--proba");
}

TEST_F(RanksRows, PredictToAFile) {
  ok("predict m.safetensors test.csv --proba -o one.csv");
  for (const std::size_t ranks : {2, 3}) {
    const CommandResult end = run_ranks(ranks, "predict m.safetensors 'part-*.csv' --proba -o p.csv --json");
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_TRUE(read_file(path("p.csv")) == read_file(path("one.csv"))) << ranks << " ranks";
    EXPECT_EQ(nlohmann::json::parse(end.out)["rows"], rows);
  }
  EXPECT_EQ(lines(read_file(path("one.csv"))), rows + 1);
  EXPECT_EQ(run("predict m.safetensors part-*.csv -o p.csv").code, 0) << "a pattern works in one process too";
  EXPECT_EQ(lines(read_file(path("p.csv"))), rows + 1);
}

TEST_F(RanksRows, PredictIntervalsAndEarlyExit) {
  ok("train train.csv --ignore w --auto off --units 12 --units-per-step 3 --max-iter 8 --interval 0.8 -o "
     "i.safetensors");
  ok("dial m.safetensors train.csv --disagreement 0.2 --confidence 0.5 -o e.safetensors");
  expect_same("predict i.safetensors", "--interval");
  ok("predict e.safetensors test.csv --exit -o one.csv");
  const CommandResult end = run_ranks(2, "predict e.safetensors test.csv --exit -o p.csv");
  EXPECT_TRUE(read_file(path("p.csv")) == read_file(path("one.csv")));
  std::string expected = ok("predict e.safetensors test.csv --exit -o one.csv");
  EXPECT_EQ(end.out, "p" + expected.substr(3)) << "the mean of the units is that of all rows";
}

TEST_F(RanksRows, EvaluatePrintsTheNumbersOfOneProcess) {
  expect_same("evaluate m.safetensors", "--units 6,12");
  expect_same("evaluate m.safetensors", "--units all --json");
  expect_same("evaluate m.safetensors", "--weight-column w --json");
}

TEST_F(RanksRows, CrossValidationHasTheScoresOfOneProcess) {
  const std::string words = "cv train.csv --weight-column w --folds 4 --repeats 2 --units-curve --units 8 --json";
  nlohmann::json one = nlohmann::json::parse(ok(words));
  const CommandResult end = run_ranks(3, words);
  ASSERT_EQ(end.code, 0) << end.err;
  nlohmann::json shared = nlohmann::json::parse(end.out);
  for (nlohmann::json* json : {&one, &shared}) {
    json->erase("seconds");
    for (auto& fold : (*json)["folds"]) fold.erase("seconds");
  }
  EXPECT_EQ(shared, one);
}

TEST_F(RanksRows, AnErrorNamesTheRowInAllRows) {
  std::string text = read_file(path("test.csv"));
  std::size_t at = 0;
  for (int line = 0; line < 1301; ++line) at = text.find('\n', at) + 1;  // data row 1301, counting from 1
  text.replace(at, text.find(',', at) - at, "1e999");
  write("bad.csv", text);
  const CommandResult one = run("predict m.safetensors bad.csv -o p.csv");
  ASSERT_EQ(one.code, 1) << one.err;
  const std::string message = one.err.substr(std::string("accrete: ").size());
  expect_error(run_ranks(3, "predict m.safetensors bad.csv -o p.csv"), 1, message);
  EXPECT_FALSE(exists("p.csv"));
}

TEST_F(RanksRows, ErrorsEndAllRanks) {
  expect_error(run_ranks(2, "predict missing.safetensors test.csv"), 1, "missing.safetensors");
  expect_error(run_ranks(2, "predict m.safetensors missing.csv"), 1, "missing.csv");
  expect_error(run_ranks(2, "evaluate m.safetensors test.csv --weight-column none"), 2, "none");
  expect_error(run_ranks(2, "predict m.safetensors test.csv -o none/p.csv"), 1, "none/p.csv");
  expect_error(run_ranks(2, "predict m.safetensors test.csv -o /dev/full"), 1, "/dev/full");
}

}  // namespace
}  // namespace accrete::cli_test::ranks_rows_test
