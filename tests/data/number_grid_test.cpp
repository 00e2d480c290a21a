#include "accrete/data/encoder/number_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "accrete/core/random.hpp"

namespace accrete::data::number_grid_test {
namespace {

TEST(NumberGrid, HasKnotsAndTheMiddlesBetweenThem) {
  const std::vector<float> knots{-1.0f, 0.0f, 4.0f};
  const NumberGrid grid(knots);
  const std::vector<float> wanted{-1.0f, -0.5f, 0.0f, 2.0f, 4.0f};
  ASSERT_EQ(grid.size(), wanted.size());
  for (std::size_t p = 0; p < wanted.size(); ++p) EXPECT_EQ(grid[p], wanted[p]);
}

TEST(NumberGrid, KeepsItsOwnNumbers) {
  for (std::size_t count = 1; count < 40; ++count) {
    std::vector<float> knots;
    for (std::size_t k = 0; k < count; ++k) knots.push_back(std::exp2(static_cast<float>(k)) - 100.0f);
    const NumberGrid grid(knots);
    for (std::size_t p = 0; p < grid.size(); ++p) EXPECT_EQ(grid.position_of(grid[p]), p) << count;
  }
}

TEST(NumberGrid, RoundsToTheNearestNumber) {
  core::Rng rng(1, 0, core::Purpose::generator);
  std::vector<float> knots{0.0f};
  for (int k = 0; k < 50; ++k) knots.push_back(knots.back() + 0.01f + static_cast<float>(rng.uniform()));
  const NumberGrid grid(knots);
  for (int i = 0; i < 2000; ++i) {
    const auto x = static_cast<float>(30.0 * rng.uniform() - 2.0);
    const float found = std::abs(grid[grid.position_of(x)] - x);
    for (std::size_t p = 0; p < grid.size(); ++p) EXPECT_LE(found, std::abs(grid[p] - x) * 1.0001f + 1e-6f);
  }
}

TEST(NumberGrid, HasAPositionForEveryValue) {
  const std::vector<float> knots{1.0f, 2.0f};
  const NumberGrid grid(knots);
  EXPECT_EQ(grid.position_of(-std::numeric_limits<float>::infinity()), 0u);
  EXPECT_EQ(grid.position_of(std::numeric_limits<float>::max()), 2u);
  EXPECT_EQ(grid.position_of(std::numeric_limits<float>::quiet_NaN()), grid.size());
}

}  // namespace
}  // namespace accrete::data::number_grid_test
