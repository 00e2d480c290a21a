#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "accrete/core/error.hpp"
#include "accrete/data/generate/parts.hpp"

namespace accrete::data {
namespace {

constexpr int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

bool has_won(const std::string& board, char player) {
  return std::any_of(std::begin(lines), std::end(lines), [&](const int(&line)[3]) {
    return board[line[0]] == player && board[line[1]] == player && board[line[2]] == player;
  });
}

/// Plays every continuation of the game. Many games end in the same board, hence a set.
void play(std::string& board, char player, std::set<std::string>& ends) {
  const char other = player == 'x' ? 'o' : 'x';
  if (has_won(board, other) || board.find('b') == std::string::npos) {
    ends.insert(board);
    return;
  }
  for (char& square : board) {
    if (square != 'b') continue;
    square = player;
    play(board, other, ends);
    square = 'b';
  }
}

}  // namespace

Table make_tic_tac_toe(std::size_t rows, std::uint64_t) {
  if (rows != tic_tac_toe_boards)
    throw core::UsageError(
        fmt::format("{} rows requested; tic-tac-toe has exactly {} boards", rows, tic_tac_toe_boards));
  std::set<std::string> ends;
  std::string empty(9, 'b');
  play(empty, 'x', ends);

  Table table{"tic-tac-toe", {}};
  for (const char* vertical : {"top", "middle", "bottom"})
    for (const char* horizontal : {"left", "middle", "right"})
      table.columns.push_back(text_column(fmt::format("{}-{}-square", vertical, horizontal), rows));
  table.columns.push_back(text_column("target", rows));
  for (const std::string& board : ends) {
    for (std::size_t i = 0; i < board.size(); ++i) append_text(table.columns[i], std::string_view(&board[i], 1));
    append_text(table.columns.back(), has_won(board, 'x') ? "positive" : "negative");
  }
  return table;
}

int poker_class(const std::array<Card, 5>& hand) {
  std::array<int, 14> count{};
  bool flush = true;
  for (const Card& card : hand) {
    ++count[static_cast<std::size_t>(card.rank)];
    flush = flush && card.suit == hand[0].suit;
  }
  const auto pairs = std::count(count.begin(), count.end(), 2);
  const auto max_count = *std::max_element(count.begin(), count.end());
  if (max_count == 4) return 7;
  if (max_count == 3) return pairs == 1 ? 6 : 3;
  if (max_count == 2) return static_cast<int>(pairs);

  const auto [low, high] =
      std::minmax_element(hand.begin(), hand.end(), [](Card a, Card b) { return a.rank < b.rank; });
  const bool ace_high = count[1] && count[10] && count[11] && count[12] && count[13];
  const bool straight = high->rank - low->rank == 4 || ace_high;
  if (flush && straight) return ace_high ? 9 : 8;
  return flush ? 5 : straight ? 4 : 0;
}

Table make_poker(std::size_t rows, std::uint64_t seed) {
  require_rows(rows);
  Table table{"poker", {}};
  for (int i = 1; i <= 5; ++i)
    for (const char* what : {"S", "C"}) table.columns.push_back(numeric_column(fmt::format("{}{}", what, i), rows));
  table.columns.push_back(text_column("target", rows));

  core::Rng rng(seed, 0, core::Purpose::generator);
  std::array<int, 52> deck;
  std::iota(deck.begin(), deck.end(), 0);
  std::array<Card, 5> hand;
  for (std::size_t r = 0; r < rows; ++r) {
    // The first five cards of a shuffle; the deck need not be sorted first.
    for (std::size_t i = 0; i < hand.size(); ++i) {
      std::swap(deck[i], deck[i + rng.below(deck.size() - i)]);
      hand[i] = {deck[i] / 13 + 1, deck[i] % 13 + 1};
      table.columns[2 * i].numbers.push_back(static_cast<float>(hand[i].suit));
      table.columns[2 * i + 1].numbers.push_back(static_cast<float>(hand[i].rank));
    }
    append_text(table.columns.back(), std::to_string(poker_class(hand)));
  }
  return table;
}

}  // namespace accrete::data
