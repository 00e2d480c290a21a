#pragma once
// Reads one chunk of CSV text into the table's columns. Chunks are independent: each writes only its own rows, so they
// may be read in any order and on any thread.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/data/missing_values.hpp"
#include "accrete/data/table.hpp"
#include "accrete/io/csv/scan.hpp"

namespace accrete::io {

/// How a pass over the rows reads a column.
enum class ReadAs : std::uint8_t { skip, number, text };

/// A pass over the rows. `readings` has one entry per column. For columns that are read, `numbers` or `codes` must be
/// allocated for all rows.
struct CsvPass {
  CsvDialect dialect;
  std::vector<ReadAs> readings;
  std::vector<data::Column>* columns = nullptr;
  std::vector<std::atomic<bool>>* found_text = nullptr;  ///< set to true for a column that is not numeric
  const data::MissingValues* missing_values = nullptr;
  std::string width_from;  ///< "the header has 4", for the message about a ragged row
};

/// A chunk and the results of a pass over it, apart from the stored values.
struct CsvChunk {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::string_view text;
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::optional<CsvSyntaxError> error;                ///< the first error; later rows are not read
  std::vector<std::size_t> infinite;                  ///< per column: the first infinite row, or none
  std::vector<data::NumberRange> ranges;              ///< per column: of its numbers before rounding
  std::vector<std::vector<std::string_view>> levels;  ///< per column read as text: the text of this chunk's codes
  std::deque<std::string> unescaped;                  ///< owns levels that are not views into the text
};

/// Stores numbers, and for text columns codes into chunk.levels (-1: missing). Levels are in order of first appearance.
void read_chunk(CsvChunk& chunk, const CsvPass& pass);

}  // namespace accrete::io
