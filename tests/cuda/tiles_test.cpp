// Steps that go through tiles in shared memory: of every width, so that the last tile, the last features and the last
// warps are not full, and of so many rows that tiles are fetched while others are worked on.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda {
namespace {

class TilesTest : public CudaTest {
 protected:
  struct Case {
    data::CloudShape shape;
    const char *units, *preset;
    Settings more = {};
  };

  static Fits make_case(const Case& c, std::size_t steps) {
    Settings settings{{"units_per_step", c.units},
                      {"units", std::to_string(std::stoul(c.units) * steps)},
                      {"subsample", "1"},
                      {"max_iter", full_or_small("6", "2")}};
    settings.insert(settings.end(), c.more.begin(), c.more.end());
    return make(data::normal_clouds(c.shape, 7), {}, c.preset, settings, 1);
  }
  std::vector<double> losses(const Fits& made, std::size_t steps) {
    std::vector<double> all;
    const auto fit = device_->begin(made.rows[0].train, made.fits[0].config, made.fits[0].start);
    for (const auto& grown : fit->grow(steps)) all.push_back(grown.train_loss);
    return all;
  }
  void expect_the_cpus(const Case& c) {
    const Fits made = make_case(c, 1);
    const double expected = on_cpu(made, 0);
    EXPECT_NEAR(losses(made, 1).back(), expected, 2e-4 * std::abs(expected))
        << c.shape.rows << "x" << c.shape.features << ", " << c.shape.classes << " classes, " << c.units << " units, "
        << c.preset;
  }
};

TEST_F(TilesTest, EveryWidth) {
  for (const std::size_t width : {1, 3, 4, 5, 8, 9, 12, 31, 32, 54, 56, 57, 65})
    for (const char* units : {"1", "2", "3", "4"})
      expect_the_cpus(
          {{full_or_small<std::size_t>(1000, 400), width, 2}, units, "default", {{"feature_fraction", "1"}}});
}

TEST_F(TilesTest, EveryNumberOfClasses) {
  for (const std::size_t classes : {2, 3, 4, 5, 7, 8, 9, 12})
    for (const char* preset : {"default", "paper"})
      expect_the_cpus({{full_or_small<std::size_t>(1500, 600), 20, classes}, "4", preset});
}

TEST_F(TilesTest, DrawnFeaturesAndUnevenWeights) {
  for (const char* fraction : {"0.3", "0.5"})
    for (const std::size_t classes : {2, 7})
      expect_the_cpus({{full_or_small<std::size_t>(3000, 700), 54, classes},
                       "4",
                       "default",
                       {{"feature_fraction", fraction}, {"class_weight", "balanced"}}});
}

/// A last tile of one row, of two, of all but one; a last block with few of them.
TEST_F(TilesTest, EveryRemainder) {
  for (const std::size_t rows : {44, 45, 84, 85, 172, 174, 5500})
    expect_the_cpus({{rows, 6, 2}, "2", "default", {{"feature_fraction", "1"}}});
}

/// More tiles to a warp than it has room for, on the largest of devices.
const std::size_t many_rows = full_or_small(500'000, 150'000);

TEST_F(TilesTest, SoManyRowsThatTilesAreFetchedOnTheWay) {
  for (const std::size_t classes : {2, 7})
    expect_the_cpus({{many_rows, 5, classes}, "4", "default", {{"feature_fraction", "1"}}});
}

TEST_F(TilesTest, TheSameBitsAgain) {
  const std::size_t steps = full_or_small(6, 1);
  const Fits made = make_case({{many_rows, 9, 3}, "3", "default"}, steps);
  const auto once = losses(made, steps);
  for (int again = 0; again < full_or_small(3, 1); ++again) EXPECT_EQ(losses(made, steps), once);
}

}  // namespace
}  // namespace accrete::cuda
