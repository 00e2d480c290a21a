// Passes over tiles in shared memory: every width and remainder, so that the last tile, features and warps are not
// full, and enough rows that tiles are copied during the pass.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda::tiles_test {
namespace {

class CudaTiles : public CudaTest {
 protected:
  struct TileCase {
    data::CloudShape shape;
    std::uint64_t units;
    const char* preset;
    config::Config more = {};
  };

  static FitSet make_case(const TileCase& c, std::size_t steps) {
    config::Config given = c.more;
    given.units = c.units * steps;
    given.units_per_step = c.units;
    if (!given.subsample) given.subsample = 1.0;
    if (!given.max_iter) given.max_iter = full_or_small(6, 2);
    return make(data::normal_clouds(c.shape, 7), {}, c.preset, given, 1);
  }
  std::vector<double> losses(const FitSet& set, std::size_t steps) {
    std::vector<double> all;
    const auto fit = device_->begin(set.rows[0].train, set.fits[0].config, set.fits[0].start);
    for (const auto& grown : fit->grow(steps)) all.push_back(grown.train_loss);
    return all;
  }
  void expect_cpu_loss(const TileCase& c) {
    const FitSet set = make_case(c, 1);
    const double expected = cpu_loss(set, 0);
    EXPECT_NEAR(losses(set, 1).back(), expected, 2e-4 * std::abs(expected))
        << c.shape.rows << "x" << c.shape.features << ", " << c.shape.classes << " classes, " << c.units << " units, "
        << c.preset;
  }
};

TEST_F(CudaTiles, HandleEveryWidth) {
  for (const std::size_t width : {1, 3, 4, 5, 8, 9, 12, 31, 32, 54, 56, 57, 65})
    for (const std::uint64_t units : {1, 2, 3, 4})
      expect_cpu_loss({{full_or_small<std::size_t>(1000, 400), width, 2}, units, "default", {.feature_fraction = 1}});
}

TEST_F(CudaTiles, HandleEveryNumberOfClasses) {
  for (const std::size_t classes : {2, 3, 4, 5, 7, 8, 9, 12})
    for (const char* preset : {"default", "paper"})
      expect_cpu_loss({{full_or_small<std::size_t>(1500, 600), 20, classes}, 4, preset, {.feature_fraction = 1}});
}

/// Steps on drawn features do not use tiles.
TEST_F(CudaTiles, HandleRowWeights) {
  for (const double fraction : {0.5, 1.0})
    for (const std::size_t classes : {2, 7})
      expect_cpu_loss({{full_or_small<std::size_t>(3000, 700), 54, classes},
                       4,
                       "default",
                       {.feature_fraction = fraction, .class_weight = config::ClassWeights{.balanced = true}}});
}

/// A last tile of one row, two, and all but one; a last block with few tiles.
TEST_F(CudaTiles, HandleEveryRemainder) {
  for (const std::size_t rows : {44, 45, 84, 85, 172, 174, 5500})
    expect_cpu_loss({{rows, 6, 2}, 2, "default", {.feature_fraction = 1}});
}

/// Several tiles per warp on the largest devices.
const std::size_t many_rows = full_or_small(500'000, 150'000);

TEST_F(CudaTiles, AreCopiedDuringThePass) {
  for (const std::size_t classes : {2, 7})
    expect_cpu_loss({{many_rows, 5, classes}, 4, "default", {.feature_fraction = 1}});
}

TEST_F(CudaTiles, RepeatTheSameBits) {
  const std::size_t steps = full_or_small(6, 1);
  const FitSet set = make_case({{many_rows, 9, 3}, 3, "default", {.feature_fraction = 1}}, steps);
  const auto once = losses(set, steps);
  for (int again = 0; again < full_or_small(3, 1); ++again) EXPECT_EQ(losses(set, steps), once);
}

}  // namespace
}  // namespace accrete::cuda::tiles_test
