#include "accrete/boosting/choose/held_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "accrete/boosting/read.hpp"
#include "accrete/core/parallel.hpp"

namespace accrete::boosting::held_out_test {
namespace {

/// A number that differs in every row, and a class for each.
data::Table make_table(const std::vector<std::string>& classes) {
  data::Table table{.source = "made up", .columns = {{.name = "x"}, {.name = "y", .kind = data::Column::Kind::text}}};
  for (std::size_t r = 0; r < classes.size(); ++r) {
    table.columns[0].numbers.push_back(static_cast<float>(r));
    auto& levels = table.columns[1].levels;
    const auto at = std::ranges::find(levels, classes[r]);
    table.columns[1].codes.push_back(static_cast<std::int32_t>(at - levels.begin()));
    if (at == levels.end()) levels.push_back(classes[r]);
  }
  return table;
}

TEST(HeldOutFolds, TrainOnTheRowsOfARareClassAndNeverHoldThemOut) {
  std::vector<std::string> classes(100);
  for (std::size_t r = 0; r < classes.size(); ++r) classes[r] = r < 3 ? "rare" : r % 2 ? "a" : "b";
  const data::Table table = make_table(classes);
  FitOptions options;
  PreparedFit fit;
  const TrainingTable read = read_table({table}, options, fit);
  std::vector<std::size_t> rows(classes.size());
  std::iota(rows.begin(), rows.end(), 0);
  core::Workers one(1);
  const ChoiceTask task{.table = read, .rows = rows, .fit = fit, .options = options, .workers = one, .keep_going = {}};
  HeldOutFolds folds(task, 1000, 5);
  ASSERT_EQ(folds.size(), 5u);
  EXPECT_EQ(folds.held_out_rows(), 97u);
  const auto rare = std::ranges::find(fit.model.classes, "rare") - fit.model.classes.begin();
  for (const HeldOutFold& fold : folds.encoded(0)) {
    EXPECT_EQ(fold.rows.train.rows() + fold.rows.validation->rows(), 100u);
    const auto count = [&](const data::Dataset& data) {
      std::size_t found = 0;
      for (std::size_t r = 0; r < data.rows(); ++r) found += data.targets(r, 0) == static_cast<float>(rare);
      return found;
    };
    EXPECT_EQ(count(fold.rows.train), 3u);
    EXPECT_EQ(count(*fold.rows.validation), 0u);
  }
}

TEST(HeldOutFolds, CountTheSampledRowsBeforeEqualOnesAreMerged) {
  data::Table table = make_table(std::vector<std::string>(400, "a"));
  for (std::size_t r = 0; r < 400; ++r) {
    table.columns[0].numbers[r] = static_cast<float>(r % 50);
    table.columns[1].codes[r] = static_cast<std::int32_t>(r % 2);
  }
  table.columns[1].levels = {"a", "b"};
  FitOptions options;
  PreparedFit fit;
  const TrainingTable read = read_table({table}, options, fit);
  std::vector<std::size_t> rows(400);
  std::iota(rows.begin(), rows.end(), 0);
  core::Workers one(1);
  const ChoiceTask task{.table = read, .rows = rows, .fit = fit, .options = options, .workers = one, .keep_going = {}};
  const HeldOutFolds sample(task, 100, 5), all(task, 400, 5);
  EXPECT_LE(sample.rows(), 50u);
  EXPECT_EQ(sample.share_of_rows(), 0.25);
  EXPECT_TRUE(sample.is_sample());
  EXPECT_EQ(all.rows(), 50u);
  EXPECT_EQ(all.share_of_rows(), 1.0);
  EXPECT_FALSE(all.is_sample());
}

}  // namespace
}  // namespace accrete::boosting::held_out_test
