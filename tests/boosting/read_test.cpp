#include "accrete/boosting/read.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "accrete/core/error.hpp"

namespace accrete::boosting::read_test {
namespace {

void read_targets(const std::vector<double>& targets) {
  data::Table table{.source = "made up", .columns = {{.name = "x"}, {.name = "y"}}};
  for (std::size_t r = 0; r < targets.size(); ++r) {
    table.columns[0].numbers.push_back(static_cast<float>(r));
    table.columns[1].numbers.push_back(static_cast<float>(targets[r]));
  }
  table.columns[1].exact = targets;
  FitOptions options;
  options.task = data::Task::regression;
  PreparedFit fit;
  read_table({table}, options, fit);
}

TEST(ReadTable, RefusesTargetsBeyondTheRangeOnEitherSide) {
  EXPECT_NO_THROW(read_targets({-1e30, 0.0, 1e30, 5.0}));
  EXPECT_THROW(read_targets({-1e150, 0.0, 1.0, 5.0}), core::DataError);
  EXPECT_THROW(read_targets({1e150, 0.0, 1.0, 5.0}), core::DataError);
  EXPECT_THROW(read_targets({1e-150, 0.0, 2e-150, 5e-150}), core::DataError);
}

}  // namespace
}  // namespace accrete::boosting::read_test
