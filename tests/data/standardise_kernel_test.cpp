#include "accrete/data/encoder/standardise_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace accrete::data::standardise_kernel_test {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(StandardiseKernel, ColumnsAndRowsFollowTheFormula) {
  // A mean much larger than the scale: single precision would lose the digits.
  const Standardised by{12345.678, 0.37, 1.0 / 0.37};
  for (const std::size_t count : {1, 5, 16, 67}) {
    std::vector<float> x(count), values(count), flags(count), row(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = i % 7 == 4 ? missing : 12345.0f + 0.01f * static_cast<float>(i);
    ASSERT_TRUE(standardise_column(by, x.data(), count, values.data()));
    flag_missing(x.data(), count, flags.data());
    const std::vector<double> means(count, by.mean), inverses(count, by.inverse);
    ASSERT_TRUE(standardise_row(means.data(), inverses.data(), x.data(), count, row.data()));
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_missing = std::isnan(x[i]);
      EXPECT_EQ(values[i], is_missing ? 0.0f : static_cast<float>((x[i] - by.mean) * by.inverse));
      EXPECT_EQ(row[i], values[i]);
      EXPECT_EQ(flags[i], is_missing ? 1.0f : 0.0f);
    }
    ASSERT_TRUE(standardise_column(by, x.data(), count, x.data()));
    EXPECT_EQ(x, values) << "in place";
  }
}

TEST(StandardiseKernel, ClampsNumbersFarFromTheMean) {
  const double mean = 0.5, scale = 0.25;
  for (const float x : {1e19f, 2e19f, 3e19f, 1e38f, -1e19f, -3e19f, -3.4e38f})
    for (std::size_t at = 0; at < 37; ++at) {
      std::vector<float> column(37, 1.0f), values(37);
      column[at] = x;
      const std::vector<double> means(37, mean), inverses(37, 1.0 / scale);
      const auto wanted = static_cast<float>(std::clamp((x - mean) / scale, -max_deviations, max_deviations));
      ASSERT_TRUE(standardise_column({mean, scale, 1.0 / scale}, column.data(), 37, values.data()));
      EXPECT_EQ(values[at], wanted);
      EXPECT_EQ(values[(at + 1) % 37], 2.0f);
      ASSERT_TRUE(standardise_row(means.data(), inverses.data(), column.data(), 37, values.data()));
      EXPECT_EQ(values[at], wanted);
    }
}

TEST(StandardiseKernel, ReportsAnInfinityAtAnyPosition) {
  for (std::size_t at = 0; at < 37; ++at)
    for (const float bad : {infinity, -infinity}) {
      std::vector<float> x(37, std::numeric_limits<float>::max()), values(37);
      const std::vector<double> means(37, 0.0), inverses(37, 1.0);
      x[36 - at] = missing;
      x[at] = bad;
      EXPECT_FALSE(standardise_column({0.0, 1.0, 1.0}, x.data(), 37, values.data()));
      EXPECT_FALSE(standardise_row(means.data(), inverses.data(), x.data(), 37, values.data()));
    }
}

TEST(StandardiseKernel, SpreadsRowsOverTheirPlaces) {
  for (const std::size_t rows : {1, 3, 4, 9, 64})
    for (const std::size_t columns : {1, 4, 5, 30}) {
      std::vector<float> x(rows * columns), out(3 * columns * 64, -1.0f);
      std::vector<std::size_t> place(columns);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
      for (std::size_t c = 0; c < columns; ++c) place[c] = 2 * c + c % 2;
      transpose_rows(x.data(), rows, columns, place.data(), out.data(), 64);
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < 64; ++r)
          ASSERT_EQ(out[place[c] * 64 + r], r < rows ? x[r * columns + c] : -1.0f) << r << ' ' << c;
    }
}

}  // namespace
}  // namespace accrete::data::standardise_kernel_test
