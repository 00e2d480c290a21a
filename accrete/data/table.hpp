#pragma once
// A table of typed columns, as read from a file or built from spans. Nothing is scaled, imputed or encoded yet.
//
// Life of a column: read (io/csv) -> target columns become a data::Target, the others pass through data::Encoder
// into the tiled matrix that training and prediction read.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/mapped.hpp"
#include "accrete/core/matrix.hpp"

namespace accrete::data {

struct Column {
  enum class Kind { numeric, text };

  std::string name;
  Kind kind = Kind::numeric;
  core::Numbers numbers;            ///< numeric: one per row, NaN where missing
  std::vector<std::int32_t> codes;  ///< text: index into levels, -1 where missing
  std::vector<std::string> levels;  ///< text: distinct values in order of first appearance
  std::vector<double> exact = {};   ///< numeric: the numbers with all their digits, where a target has them; or empty

  std::size_t size() const { return kind == Kind::numeric ? numbers.size() : codes.size(); }
};

struct Table {
  std::string source;  ///< where it came from, for messages: a path, or "data"
  std::vector<Column> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }

  /// Position of the column of that name.
  std::optional<std::size_t> find(std::string_view name) const;

  /// Position of the column of that name or, failing that, of that 0-based index ("3", "-1" is the last).
  /// Throws UsageError listing the columns when there is none.
  std::size_t require(std::string_view name_or_index) const;

  /// All-numeric table from row-major values; names x0, x1, ... when none are given. NaN is a missing value;
  /// an infinity throws DataError naming row and column.
  static Table from_rows(core::MatrixView<const float> values, std::span<const std::string> names = {});
};

/// "data.csv: row 7, column 'age'"; rows are counted from 1, the header not counted.
std::string place(const Table& table, std::size_t row, std::string_view column);

/// The whole field as a number in any usual form (1, -1.5, +.5e-3, 1e6, surrounding blanks allowed); nothing when it
/// is not one. "inf" and "nan" in any case parse to those values.
std::optional<double> parse_number(std::string_view text);

/// Empty, blank, NA, N/A, ?, nan, null, none, in any case.
bool is_missing(std::string_view text);

}  // namespace accrete::data
