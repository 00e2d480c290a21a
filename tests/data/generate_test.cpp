#include "accrete/data/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/data/generate_parts.hpp"

namespace accrete::data {
namespace {

Table made(const char* name, std::size_t rows, std::uint64_t seed = 1) {
  return generator_named(name).make(rows, seed);
}

const std::string& text_at(const Column& column, std::size_t row) {
  return column.levels.at(static_cast<std::size_t>(column.codes.at(row)));
}

bool same(const Table& a, const Table& b) {
  return std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                    [](const Column& x, const Column& y) {
                      return x.name == y.name && x.kind == y.kind && x.numbers == y.numbers && x.codes == y.codes &&
                             x.levels == y.levels;
                    });
}

TEST(Generate, EveryGeneratorKeepsTheContract) {
  for (const Generator& generator : generators()) {
    SCOPED_TRACE(generator.name);
    const std::size_t rows = generator.exact ? generator.default_rows : 150;
    const Table table = generator.make(rows, 5);
    EXPECT_EQ(table.rows(), rows);
    EXPECT_EQ(table.columns.back().name, "target");
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
      for (const float x : column.numbers) ASSERT_TRUE(std::isfinite(x));
    }
    EXPECT_EQ(names.size(), table.columns.size());
    EXPECT_TRUE(same(table, generator.make(rows, 5)));
    EXPECT_EQ(same(table, generator.make(rows, 6)), generator.exact);
    EXPECT_THROW(generator.make(0, 5), core::UsageError);
    EXPECT_EQ(&generator_named(generator.name), &generator);
  }
}

TEST(Generate, UnknownNameListsTheNames) {
  try {
    generator_named("spiral");
    FAIL() << "nothing was thrown";
  } catch (const core::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("ringnorm2, ringnorm, twonorm, waveform, friedman1"), std::string::npos);
  }
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

TEST(Generate, Ringnorm2) {
  expect_clouds("ringnorm2", 2, 0.0, 2.0, std::numbers::sqrt2, 1.0);
}
TEST(Generate, Ringnorm) {
  expect_clouds("ringnorm", 20, 0.0, 2.0, 1.0 / std::sqrt(5.0), 1.0);
}
TEST(Generate, Twonorm) {
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

TEST(Generate, TicTacToeIsTheKnownEnumeration) {
  const Table table = made("tic-tac-toe", 958);
  ASSERT_EQ(table.columns.size(), 10u);
  EXPECT_EQ(table.columns[0].name, "top-left-square");
  EXPECT_EQ(table.columns[4].name, "middle-middle-square");
  EXPECT_EQ(table.columns[8].name, "bottom-right-square");
  std::set<std::string> boards;
  int positive = 0;
  for (std::size_t r = 0; r < 958; ++r) {
    std::string board;
    for (std::size_t c = 0; c < 9; ++c) board += text_at(table.columns[c], r);
    const auto xs = std::count(board.begin(), board.end(), 'x'), os = std::count(board.begin(), board.end(), 'o');
    EXPECT_TRUE(xs == os || xs == os + 1) << board;
    boards.insert(board);
    positive += text_at(table.columns.back(), r) == "positive";
  }
  EXPECT_EQ(boards.size(), 958u);
  EXPECT_EQ(positive, 626);
  EXPECT_TRUE(generator_named("tic-tac-toe").exact);
  EXPECT_THROW(made("tic-tac-toe", 100), core::UsageError);
}

TEST(Generate, PokerHandsAreNamedRightly) {
  using Hand = std::array<Card, 5>;
  const std::pair<Hand, int> known[] = {
      {{{{1, 2}, {1, 4}, {2, 6}, {3, 8}, {4, 10}}}, 0},    {{{{1, 2}, {2, 2}, {2, 6}, {3, 8}, {4, 10}}}, 1},
      {{{{1, 2}, {2, 2}, {2, 6}, {3, 6}, {4, 10}}}, 2},    {{{{1, 2}, {2, 2}, {3, 2}, {3, 6}, {4, 10}}}, 3},
      {{{{1, 5}, {2, 3}, {3, 4}, {3, 6}, {4, 7}}}, 4},     {{{{1, 1}, {2, 3}, {3, 4}, {3, 2}, {4, 5}}}, 4},
      {{{{1, 1}, {2, 13}, {3, 10}, {3, 12}, {4, 11}}}, 4}, {{{{1, 1}, {2, 13}, {3, 2}, {3, 12}, {4, 11}}}, 0},
      {{{{2, 1}, {2, 3}, {2, 9}, {2, 12}, {2, 11}}}, 5},   {{{{1, 2}, {2, 2}, {3, 2}, {3, 6}, {4, 6}}}, 6},
      {{{{1, 2}, {2, 2}, {3, 2}, {4, 2}, {4, 6}}}, 7},     {{{{3, 9}, {3, 10}, {3, 11}, {3, 12}, {3, 13}}}, 8},
      {{{{3, 1}, {3, 2}, {3, 3}, {3, 4}, {3, 5}}}, 8},     {{{{3, 1}, {3, 10}, {3, 11}, {3, 12}, {3, 13}}}, 9}};
  for (const auto& [hand, expected] : known) EXPECT_EQ(poker_class(hand), expected);
}

TEST(Generate, PokerFrequencies) {
  // Hands of each class among the 2598960.
  const double hands[] = {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4};
  const std::size_t rows = 100000;
  const Table table = made("poker", rows);
  ASSERT_EQ(table.columns.size(), 11u);
  std::vector<double> count(10, 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    std::set<std::pair<float, float>> cards;
    for (std::size_t i = 0; i < 10; i += 2) cards.emplace(table.columns[i].numbers[r], table.columns[i + 1].numbers[r]);
    ASSERT_EQ(cards.size(), 5u);
    ++count[static_cast<std::size_t>(std::stoi(text_at(table.columns.back(), r)))];
  }
  for (std::size_t c = 0; c < 10; ++c) {
    const double p = hands[c] / 2598960.0, expected = p * static_cast<double>(rows);
    EXPECT_NEAR(count[c], expected, 5.0 * std::sqrt(expected * (1.0 - p)) + 1.0) << c;
  }
  for (std::size_t i = 0; i < 10; ++i) {
    const auto& numbers = table.columns[i].numbers;
    EXPECT_EQ(table.columns[i].name, (i % 2 ? "C" : "S") + std::to_string(i / 2 + 1));
    EXPECT_EQ(std::set<float>(numbers.begin(), numbers.end()).size(), i % 2 ? 13u : 4u);
    EXPECT_EQ(*std::ranges::min_element(numbers), 1.0f);
    EXPECT_EQ(*std::ranges::max_element(numbers), i % 2 ? 13.0f : 4.0f);
  }
}

TEST(Generate, PokerClassesOfAllHands) {
  std::array<Card, 52> deck;
  for (int i = 0; i < 52; ++i) deck[static_cast<std::size_t>(i)] = {i / 13 + 1, i % 13 + 1};
  std::array<int, 10> count{};
  for (std::size_t a = 0; a < 52; ++a)
    for (std::size_t b = a + 1; b < 52; ++b)
      for (std::size_t c = b + 1; c < 52; ++c)
        for (std::size_t d = c + 1; d < 52; ++d)
          for (std::size_t e = d + 1; e < 52; ++e)
            ++count[static_cast<std::size_t>(poker_class({deck[a], deck[b], deck[c], deck[d], deck[e]}))];
  EXPECT_EQ(count, (std::array<int, 10>{1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4}));
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

/// Each class has spread 1 about a centre of its own; the centres lie apart as those of 0.25 N(0, 1) do.
TEST(Generate, CloudsOfAnyShape) {
  constexpr std::size_t rows = 6000, features = 40, classes = 3;
  const Table table = normal_clouds({rows, features, classes}, 1);
  ASSERT_EQ(table.columns.size(), features + 1);
  ASSERT_EQ(table.rows(), rows);
  double apart = 0.0;
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
  }
  EXPECT_NEAR(std::sqrt(apart / (features * classes)), 0.25, 0.05);
}

}  // namespace
}  // namespace accrete::data
