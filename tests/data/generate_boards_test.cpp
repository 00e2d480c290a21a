#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/data/generate/parts.hpp"

namespace accrete::data::generate_boards_test {
namespace {

Table made(const char* name, std::size_t rows) {
  return generator_named(name).make(rows, 1);
}

const std::string& text_at(const Column& column, std::size_t row) {
  return column.levels.at(static_cast<std::size_t>(column.codes.at(row)));
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

TEST(Generate, ClassifiesPokerHands) {
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

TEST(Generate, DrawsPokerHandsWithTheirFrequencies) {
  // Number of hands of each class, of 2598960.
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

TEST(Generate, CountsThePokerClassesOfAllHands) {
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

}  // namespace
}  // namespace accrete::data::generate_boards_test
