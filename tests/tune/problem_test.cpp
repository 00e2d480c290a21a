#include "accrete/tune/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "accrete/boosting/split.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::tune::problem_test {
namespace {

data::Table made(const char* name, std::size_t rows) {
  return data::generator_named(name).make(rows, 3);
}

std::uint64_t hash(const data::Table& table, const std::vector<std::string>& targets = {}) {
  return fingerprint(read_problem(table, targets, std::nullopt));
}

TEST(Problem, TheFingerprintSeesEverything) {
  const data::Table table = made("friedman1", 30);
  std::set<std::uint64_t> seen{hash(table)};
  EXPECT_EQ(hash(made("friedman1", 30)), *seen.begin());
  data::Table other = table;
  other.source = "elsewhere.csv";
  EXPECT_EQ(hash(other), *seen.begin()) << "the path is not part of the data";
  other.columns[2].numbers[7] += 1e-3f;
  EXPECT_TRUE(seen.insert(hash(other)).second);
  other = table;
  other.columns[1].name = "renamed";
  EXPECT_TRUE(seen.insert(hash(other)).second);
  other = table;
  std::swap(other.columns[0].numbers[0], other.columns[0].numbers[1]);
  EXPECT_TRUE(seen.insert(hash(other)).second);
  EXPECT_TRUE(seen.insert(hash(table, {"0"})).second) << "another target";
  EXPECT_TRUE(seen.insert(hash(made("friedman1", 31))).second);
}

TEST(Problem, FoldsOfSomeRowsHaveTheseRowsOnly) {
  const data::Table table = made("ringnorm2", 60);
  const Problem problem = read_problem(table, {}, std::nullopt);
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < 60; ++r)
    if (r % 3 != 0) rows.push_back(r);
  std::vector<std::size_t> tested;
  for (const data::Split& split : draw_folds(problem, rows, {4, 11})) {
    EXPECT_EQ(split.train.size() + split.test.size(), rows.size());
    std::vector<std::size_t> both = split.train;
    both.insert(both.end(), split.test.begin(), split.test.end());
    std::ranges::sort(both);
    EXPECT_EQ(both, rows);
    tested.insert(tested.end(), split.test.begin(), split.test.end());
  }
  std::ranges::sort(tested);
  EXPECT_EQ(tested, rows) << "each row is tested once";
}

/// `common` rows of class "common", then `rare` rows of class "rare".
data::Table two_classes_of(std::size_t common, std::size_t rare) {
  data::Column x{"x", data::Column::Kind::numeric, {}, {}, {}};
  data::Column y{"y", data::Column::Kind::text, {}, {}, {"common", "rare"}};
  for (std::size_t r = 0; r < common + rare; ++r) {
    x.numbers.push_back(static_cast<float>(r));
    y.codes.push_back(r < common ? 0 : 1);
  }
  return {"t.csv", {std::move(x), std::move(y)}};
}

TEST(Problem, NotesTheSmallestClassWhereItHasFewerRowsThanFolds) {
  const auto noted = [](std::size_t rare, std::size_t folds) {
    const data::Table table = two_classes_of(12, rare);
    return note_scarce_class(read_problem(table, {}, std::nullopt), folds);
  };
  EXPECT_EQ(noted(3, 3), std::nullopt);
  EXPECT_EQ(noted(3, 4),
            "the class 'rare' has 3 rows, fewer than the 4 folds: some folds test no row of it; use fewer folds, or "
            "add rows of the class");
  EXPECT_EQ(noted(1, 4),
            "the class 'rare' has 1 row, fewer than the 4 folds: the fold that tests this row trains without the "
            "class; add rows of the class");
  const data::Table numbers = made("friedman1", 10);
  EXPECT_EQ(note_scarce_class(read_problem(numbers, {}, std::nullopt), 10), std::nullopt);
}

TEST(Problem, Refusals) {
  const data::Table table = made("ringnorm2", 20);
  const Problem problem = read_problem(table, {}, std::nullopt);
  const std::vector<std::size_t> few{0, 1, 2, 3, 4, 5};
  EXPECT_THROW(draw_folds(problem, few, {6, 0}), core::DataError);
  EXPECT_THROW(draw_folds(problem, few, {1, 0}), core::UsageError);
  const data::Table scarce = two_classes_of(12, 3);
  const Problem rare = read_problem(scarce, {}, std::nullopt);
  const auto rows = boosting::all_rows(15);
  EXPECT_EQ(draw_folds(rare, rows, {5, 0}).size(), 5u);
  EXPECT_EQ(thrown_message<core::DataError>([&] {
              draw_folds(rare, rows, {5, 0, 0, true});
            }),
            "t.csv: the class 'rare' has 3 rows, fewer than the 5 folds, each of which needs a row of every class; use "
            "fewer folds");
  EXPECT_EQ(thrown_message<core::DataError>([&] {
              draw_folds(rare, rows, {13, 0});
            }),
            "t.csv: the class 'common' has 12 rows, fewer than the 13 folds; use fewer folds");
  EXPECT_THROW(read_problem(data::Table{"empty", {}}, {}, std::nullopt), core::DataError);
  EXPECT_THROW(read_problem(table, {"nowhere"}, std::nullopt), core::UsageError);
}

}  // namespace
}  // namespace accrete::tune::problem_test
