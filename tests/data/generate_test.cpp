#include "accrete/data/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::generate_test {
namespace {

Table made(const char* name, std::size_t rows, std::uint64_t seed = 1) {
  return generator_named(name).make(rows, seed);
}

const std::string& text_at(const Column& column, std::size_t row) {
  return column.levels.at(static_cast<std::size_t>(column.codes.at(row)));
}

bool same_number(float a, float b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool same(const Table& a, const Table& b) {
  return std::equal(
      a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(), [](const Column& x, const Column& y) {
        return x.name == y.name && x.kind == y.kind && std::ranges::equal(x.numbers, y.numbers, same_number) &&
               x.codes == y.codes && x.levels == y.levels;
      });
}

TEST(Generate, EveryGeneratorFulfilsTheContract) {
  for (const Generator& generator : generators()) {
    SCOPED_TRACE(generator.name);
    const std::size_t rows = generator.exact ? generator.default_rows : 150;
    const Table table = generator.make(rows, 5);
    EXPECT_EQ(table.rows(), rows);
    const std::string name = generator.name;
    EXPECT_EQ(table.columns.back().name, name == "houses" ? "price" : name == "claims" ? "claims" : "target");
    std::set<std::string> names;
    for (const Column& column : table.columns) {
      EXPECT_EQ(column.size(), rows);
      names.insert(column.name);
      // Levels in order of first appearance.
      std::int32_t next = 0;
      for (const auto code : column.codes) {
        ASSERT_GE(code, 0);
        ASSERT_LE(code, next);
        if (code == next) ++next;
      }
      EXPECT_EQ(static_cast<std::size_t>(next), column.levels.size());
      const bool has_gaps = name == "houses" && column.name == "rooms";
      for (const float x : column.numbers) ASSERT_TRUE(std::isfinite(x) || (has_gaps && std::isnan(x)));
    }
    EXPECT_EQ(names.size(), table.columns.size());
    EXPECT_TRUE(same(table, generator.make(rows, 5)));
    EXPECT_EQ(same(table, generator.make(rows, 6)), generator.exact);
    EXPECT_THROW(generator.make(0, 5), core::UsageError);
    EXPECT_EQ(&generator_named(generator.name), &generator);
  }
}

TEST(Generate, RejectsAnUnknownNameAndListsTheNames) {
  const std::string said = thrown_message<core::UsageError>([] { generator_named("spiral"); });
  EXPECT_NE(said.find("ringnorm2, ringnorm, twonorm, waveform, friedman1"), std::string::npos) << said;
}

/// Means and variances of every feature within each class, to five standard errors.
void expect_clouds(const char* name, std::size_t features, double mean1, double sd1, double mean2, double sd2) {
  const std::size_t rows = 40000;
  const Table table = made(name, rows, 3);
  ASSERT_EQ(table.columns.size(), features + 1);
  for (const std::string label : {"1", "2"}) {
    const double mean = label == "1" ? mean1 : mean2, sd = label == "1" ? sd1 : sd2;
    for (std::size_t f = 0; f < features; ++f) {
      double n = 0.0, sum = 0.0, squares = 0.0;
      for (std::size_t r = 0; r < rows; ++r) {
        if (text_at(table.columns.back(), r) != label) continue;
        const double x = table.columns[f].numbers[r];
        n += 1.0, sum += x, squares += (x - mean) * (x - mean);
      }
      EXPECT_NEAR(n, 20000.0, 5.0 * 100.0);
      EXPECT_NEAR(sum / n, mean, 5.0 * sd / std::sqrt(n));
      EXPECT_NEAR(squares / n, sd * sd, 5.0 * sd * sd * std::sqrt(2.0 / n));
    }
  }
}

TEST(Generate, Ringnorm2HasItsMoments) {
  expect_clouds("ringnorm2", 2, 0.0, 2.0, std::numbers::sqrt2, 1.0);
}
TEST(Generate, RingnormHasItsMoments) {
  expect_clouds("ringnorm", 20, 0.0, 2.0, 1.0 / std::sqrt(5.0), 1.0);
}
TEST(Generate, TwonormHasItsMoments) {
  expect_clouds("twonorm", 20, 1.0 / std::sqrt(5.0), 1.0, -1.0 / std::sqrt(5.0), 1.0);
}

TEST(Generate, TwonormHasBreimansBayesError) {
  // The best rule is the sign of the sum; its error is Phi(-2) = 2.3 %.
  const std::size_t rows = 50000;
  const Table table = made("twonorm", rows);
  int wrong = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0.0;
    for (std::size_t f = 0; f < 20; ++f) sum += table.columns[f].numbers[r];
    wrong += (sum > 0.0 ? "1" : "2") != text_at(table.columns.back(), r);
  }
  EXPECT_NEAR(wrong / static_cast<double>(rows), 0.02275, 5.0 * std::sqrt(0.0228 / rows));
}

TEST(Generate, WaveformFollowsItsWaves) {
  const std::size_t rows = 30000;
  const Table table = made("waveform", rows);
  ASSERT_EQ(table.columns.size(), 22u);
  const auto wave = [](int i) { return std::max(6.0 - std::abs(i - 11), 0.0); };
  for (int label = 0; label < 3; ++label)
    for (int i = 1; i <= 21; ++i) {
      const double h[] = {wave(i), wave(i - 4), wave(i + 4)};
      const double a = h[label == 2 ? 1 : 0], b = h[label == 0 ? 1 : 2];
      double n = 0.0, sum = 0.0;
      for (std::size_t r = 0; r < rows; ++r)
        if (text_at(table.columns.back(), r) == std::to_string(label))
          n += 1.0, sum += table.columns[static_cast<std::size_t>(i - 1)].numbers[r];
      EXPECT_NEAR(n, rows / 3.0, 500.0);
      EXPECT_NEAR(sum / n, 0.5 * (a + b), 5.0 * std::sqrt((1.0 + (a - b) * (a - b) / 12.0) / n));
    }
}

TEST(Generate, FriedmanNoiseHasVarianceOne) {
  const std::size_t rows = 40000;
  const Table table = made("friedman1", rows);
  ASSERT_EQ(table.columns.size(), 11u);
  double sum = 0.0, squares = 0.0;
  for (std::size_t r = 0; r < rows; ++r) {
    double x[10];
    for (std::size_t f = 0; f < 10; ++f) {
      x[f] = table.columns[f].numbers[r];
      ASSERT_GE(x[f], 0.0);
      ASSERT_LE(x[f], 1.0);
    }
    const double noise = table.columns.back().numbers[r] - 10.0 * std::sin(std::numbers::pi * x[0] * x[1]) -
                         20.0 * std::pow(x[2] - 0.5, 2) - 10.0 * x[3] - 5.0 * x[4];
    sum += noise, squares += noise * noise;
  }
  EXPECT_NEAR(sum / rows, 0.0, 5.0 / std::sqrt(rows));
  EXPECT_NEAR(squares / rows, 1.0, 5.0 * std::sqrt(2.0 / rows));
}

TEST(Generate, SpiralsLieOnTheirArms) {
  const Table table = made("spirals", 2000);
  for (std::size_t r = 0; r < 2000; ++r) {
    const double x = table.columns[0].numbers[r], y = table.columns[1].numbers[r];
    // On arm a the angle is 4 pi times the radius, on arm b half a turn more.
    const bool b = text_at(table.columns[2], r) == "b";
    const double along = 4.0 * std::numbers::pi * std::hypot(x, y) + (b ? std::numbers::pi : 0.0);
    const double off = std::remainder(along - std::atan2(y, x), 2.0 * std::numbers::pi);
    EXPECT_LT(std::abs(off) * std::hypot(x, y), 5.0 * 0.02 * 4.0 * std::numbers::pi) << r;
    EXPECT_LT(std::hypot(x, y), 1.15);
  }
}

/// Each class has deviation 1 about its centre; centres are drawn from 0.25 N(0, 1).
TEST(Generate, CloudsHaveTheRequestedShapeAndSpread) {
  constexpr std::size_t rows = 6000, features = 40, classes = 3;
  const Table table = normal_clouds({rows, features, classes}, 1);
  ASSERT_EQ(table.columns.size(), features + 1);
  ASSERT_EQ(table.rows(), rows);
  double apart = 0.0, between = 0.0;  // from 0, and of the first class from the second
  for (std::size_t f = 0; f < features; ++f) {
    std::array<double, classes> count{}, sum{}, squares{};
    for (std::size_t r = 0; r < rows; ++r) {
      const auto label = static_cast<std::size_t>(std::stoi(std::string(text_at(table.columns[features], r))));
      const double x = table.columns[f].numbers[r];
      count[label] += 1.0, sum[label] += x, squares[label] += x * x;
    }
    for (std::size_t c = 0; c < classes; ++c) {
      const double mean = sum[c] / count[c];
      EXPECT_NEAR(squares[c] / count[c] - mean * mean, 1.0, 0.15);
      apart += mean * mean;
    }
    between += std::pow(sum[0] / count[0] - sum[1] / count[1], 2);
  }
  EXPECT_NEAR(std::sqrt(apart / (features * classes)), 0.25, 0.05);
  EXPECT_NEAR(std::sqrt(between / features), 0.25 * std::sqrt(2.0), 0.1);
}

TEST(Generate, ClaimsAreRoundedAsTheyWouldBeWritten) {
  const Table table = generator_named("claims").make(2000, 1);
  const auto& age = table.columns[0].numbers;
  const auto& log_exposure = table.columns[3].numbers;
  std::set<float> ages(age.begin(), age.end());
  EXPECT_GT(ages.size(), 50u);
  EXPECT_GE(*ages.begin(), 18.0f);
  EXPECT_LE(*ages.rbegin(), 80.0f);
  for (const float years : ages) EXPECT_EQ(years, std::round(years));
  std::set<float> exposures;
  for (const float value : log_exposure) {
    EXPECT_NEAR(1000.0 * value, std::round(1000.0 * value), 1e-3);
    EXPECT_GE(value, std::log(0.1) - 0.001);
    exposures.insert(value);
  }
  EXPECT_GT(exposures.size(), 500u);
}

TEST(Generate, ClaimsHaveTheMeanOfTheirRate) {
  const Table table = generator_named("claims").make(20'000, 1);
  const Column& region = table.columns[2];
  double expected = 0.0, found = 0.0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const std::string& name = region.levels[static_cast<std::size_t>(region.codes[r])];
    const double age = table.columns[0].numbers[r], power = table.columns[1].numbers[r];
    const double risk = name == "city" ? 0.3 : name == "country" ? -0.2 : 0.0;
    const double log_rate = -1.2 + 1.2 * std::exp(-(age - 18.0) / 8.0) + 0.004 * power + risk;
    expected += std::exp(log_rate + table.columns[3].numbers[r]);
    found += table.columns[4].numbers[r];
  }
  EXPECT_NEAR(found / expected, 1.0, 0.03);
}

TEST(Generate, HousesLackATwentiethOfTheirRooms) {
  const Table table = generator_named("houses").make(4000, 1);
  const auto gaps = std::ranges::count_if(table.columns[1].numbers, [](float rooms) { return std::isnan(rooms); });
  EXPECT_NEAR(static_cast<double>(gaps) / 4000.0, 0.05, 0.015);
}

}  // namespace
}  // namespace accrete::data::generate_test
