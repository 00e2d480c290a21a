#pragma once
// One piece of a CSV text, read into its stretch of the table's columns. Pieces share nothing but the
// columns, of which each writes only its own rows, so they are read in any order and on any thread.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/data/table.hpp"
#include "accrete/io/csv_scan.hpp"

namespace accrete::io {

/// What a pass over the rows does with a column.
enum class Reading : std::uint8_t { skip, number, text };

/// A pass over the rows. `readings` has one entry per column; a column read as numbers has room for every row
/// in `numbers`, one read as text in `codes`.
struct Pass {
  Dialect dialect;
  std::vector<Reading> readings;
  std::vector<data::Column>* columns = nullptr;
  std::vector<std::atomic<bool>>* found_text = nullptr;  ///< set where a column to be numeric holds something else
  std::string width_from;                                ///< "the header has 4", for a ragged row
};

/// A piece and what a pass learnt from it beyond the values it stored.
struct Chunk {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::string_view text;
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::optional<CsvFlaw> flaw;                        ///< the first in this piece; rows after it are not read
  std::vector<std::size_t> infinite;                  ///< per column: the first row that is infinite, or none
  std::vector<std::vector<std::string_view>> levels;  ///< per column read as text: what this piece's codes mean
  std::deque<std::string> unescaped;                  ///< owns the levels that differ from the text of the file
};

/// Stores the numbers, and for text columns codes into chunk.levels (-1: missing), by order of first
/// appearance.
void read_chunk(Chunk& chunk, const Pass& pass);

}  // namespace accrete::io
