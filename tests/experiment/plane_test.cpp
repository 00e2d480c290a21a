#include "accrete/experiment/plane.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace accrete::experiment::plane_test {
namespace {

TEST(Plane, TwoCloudsOfDifferentDraws) {
  const Plane plane = make_plane(3);
  EXPECT_EQ(plane.training.rows(), 200u);
  EXPECT_EQ(plane.test.rows(), 20000u);
  ASSERT_EQ(plane.points.size(), 200u);
  ASSERT_EQ(plane.test_targets.rows(), 20000u);
  double mean[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
  for (std::size_t r = 0; r < 20000; ++r) {
    const auto cloud = static_cast<std::size_t>(plane.test_targets(r, 0));
    mean[cloud] += plane.test.columns[0].numbers[r];
    ++count[cloud];
  }
  EXPECT_NEAR(mean[0] / count[0], 0.0, 0.1);
  EXPECT_NEAR(mean[1] / count[1], std::sqrt(2.0), 0.05);
  EXPECT_NE(plane.training.columns[0].numbers[0], plane.test.columns[0].numbers[0]);
  for (const Plane::Point& p : plane.points) EXPECT_LT(std::max(std::abs(p.x1), std::abs(p.x2)), plane.limit);
  EXPECT_GE(plane.limit, 5.0);
  EXPECT_EQ(make_plane(3).training.columns[0].numbers, plane.training.columns[0].numbers);
}

TEST(Plane, TheNetworkHasAStepForEachUnit) {
  core::Workers workers(1);
  const model::Model model = grow_on(make_plane(3), 3, workers);
  EXPECT_EQ(model.network.units(), Plane::units);
  EXPECT_EQ(model.steps_for(4), 4u);
}

TEST(Plane, CellsFromTheTopLeft) {
  const data::Table cells = cell_centres(4.0, 4);
  ASSERT_EQ(cells.rows(), 16u);
  const auto at = [&](std::size_t i) { return std::pair(cells.columns[0].numbers[i], cells.columns[1].numbers[i]); };
  EXPECT_EQ(at(0), std::pair(-3.0f, 3.0f));
  EXPECT_EQ(at(1), std::pair(-1.0f, 3.0f)) << "x1 grows from left to right";
  EXPECT_EQ(at(4), std::pair(-3.0f, 1.0f)) << "the next row of the grid has a smaller x2";
  EXPECT_EQ(at(15), std::pair(3.0f, -3.0f));
}

}  // namespace
}  // namespace accrete::experiment::plane_test
