#pragma once
// Helpers shared by the generators. Internal to data::generators().

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "accrete/core/random.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// Throws UsageError for 0 rows.
void require_rows(std::size_t rows);

Column numeric_column(std::string name, std::size_t rows);
Column text_column(std::string name, std::size_t rows);

/// Appends a value to a text column. Levels are in order of first appearance, as in the CSV reader.
void append_text(Column& column, std::string_view value);

struct Card {
  int suit;  ///< 1..4
  int rank;  ///< 1..13, the ace is 1
};

/// 0 nothing, 1 pair, 2 two pairs, 3 three of a kind, 4 straight, 5 flush, 6 full house, 7 four of a kind,
/// 8 straight flush, 9 royal flush. The ace is low or high in a straight.
int poker_class(const std::array<Card, 5>& hand);

inline constexpr std::size_t tic_tac_toe_boards = 958;

/// All final boards; the seed is ignored. Throws UsageError unless rows is tic_tac_toe_boards.
Table make_tic_tac_toe(std::size_t rows, std::uint64_t seed);
Table make_poker(std::size_t rows, std::uint64_t seed);

Table make_houses(std::size_t rows, std::uint64_t seed);
Table make_claims(std::size_t rows, std::uint64_t seed);

}  // namespace accrete::data
