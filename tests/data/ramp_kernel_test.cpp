#include "accrete/data/encoder/ramp_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "accrete/core/error.hpp"

namespace accrete::data::ramp_kernel_test {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

Input make_input() {
  // Knots much larger than their distance: x times a slope would lose the digits.
  return {.name = "x",
          .knots = {12345.0f, 12345.25f, 12346.0f, 12350.0f},
          .bin_means = {0.75, 0.5, 0.125},
          .bin_scales = {0.3, 0.4, 0.2}};
}

TEST(RampKernel, ColumnsAndRowsFollowTheFormula) {
  const Input input = make_input();
  const Ramps ramps(bins_of(input));
  ASSERT_EQ(ramps.size(), 3u);
  for (const std::size_t count : {1, 5, 16, 67}) {
    std::vector<float> x(count), values(count), row(3);
    for (std::size_t i = 0; i < count; ++i) x[i] = i % 7 == 4 ? missing : 12344.0f + 0.125f * static_cast<float>(i);
    for (std::size_t j = 0; j < 3; ++j) {
      ramp_column(ramps[j], x.data(), count, values.data());
      for (std::size_t i = 0; i < count; ++i) {
        ramp_row(ramps, x[i], row.data());
        EXPECT_EQ(row[j], values[i]) << x[i];
        const double width = input.knots[j + 1] - input.knots[j];
        const double part = std::clamp((x[i] - input.knots[j]) / width, 0.0, 1.0);
        const double wanted = x[i] == x[i] ? (part - input.bin_means[j]) / input.bin_scales[j] : 0.0;
        // The slope, one end and their sum are each rounded to float.
        EXPECT_NEAR(values[i], wanted, 2e-7 / input.bin_scales[j]) << x[i] << ' ' << j;
      }
    }
  }
}

TEST(RampKernel, EndsAreExactForAnyNumber) {
  const Ramps ramps(bins_of(make_input()));
  std::vector<float> row(3);
  for (const float x : {12345.0f, 0.0f, -std::numeric_limits<float>::max(), -std::numeric_limits<float>::infinity()}) {
    ramp_row(ramps, x, row.data());
    EXPECT_EQ(row, ramps.lows) << x;
  }
  for (const float x : {12351.0f, 20000.0f, std::numeric_limits<float>::max()}) {
    ramp_row(ramps, x, row.data());
    EXPECT_EQ(row, ramps.highs) << x;
  }
  EXPECT_EQ(ramps.lows[0], static_cast<float>(-0.75 / 0.3));
  EXPECT_EQ(ramps.highs[0], static_cast<float>(0.25 / 0.3));
}

TEST(Bins, RejectInconsistentKnotsMeansAndScales) {
  const auto refused = [](auto spoil) {
    Input input = make_input();
    spoil(input);
    EXPECT_THROW(bins_of(input), core::DataError);
  };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  refused([](Input& i) { i.knots[1] = i.knots[0]; });
  refused([](Input& i) { std::swap(i.knots[1], i.knots[2]); });
  for (const std::size_t at : {0, 1, 3})
    for (const double bad : {infinity, -infinity, nan})
      refused([&](Input& i) { i.knots[at] = static_cast<float>(bad); });
  for (const double bad : {0.0, -0.5, nan, infinity, 1e-320}) refused([&](Input& i) { i.bin_scales[2] = bad; });
  refused([](Input& i) { i.knots = {0.0f, 1e-38f, 1.0f, 2.0f}; });
  refused([](Input& i) { i.knots = {-3e38f, 1.0f, 2.0f, 3.0f}; });
  for (const double bad : {nan, infinity, -infinity, 1e300}) refused([&](Input& i) { i.bin_means[0] = bad; });
  refused([](Input& i) { i.bin_means.pop_back(); });
  refused([](Input& i) { i.bin_scales.push_back(1.0); });
  refused([](Input& i) { i.knots.clear(); });
  refused([](Input& i) { i.kind = Column::Kind::text; });
  refused([](Input& i) { i.knots.resize(2), i.bin_means.resize(1), i.bin_scales.resize(1); });
  refused([](Input& i) {
    for (float x = 1.0f; i.knots.size() < 258; ++x) i.knots.push_back(12350.0f + x);
    i.bin_means.resize(257, 0.5), i.bin_scales.resize(257, 0.5);
  });
}

}  // namespace
}  // namespace accrete::data::ramp_kernel_test
