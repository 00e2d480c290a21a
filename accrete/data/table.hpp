#pragma once
// A table of typed columns, as read from a file or built from memory; nothing is scaled, imputed or encoded.
// A target column becomes a data::Target. data::Encoder encodes the other columns into the tiled matrix that training
// and prediction read.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/mapped.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/data/recognise/text_format.hpp"
#include "accrete/data/sparse.hpp"

namespace accrete::data {

/// The range of the numbers of a column before they are rounded to float; NaN is left out.
struct NumberRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  /// True if different numbers all become the same float.
  bool merges() const { return low < high && static_cast<float>(low) == static_cast<float>(high); }
};

struct Column {
  enum class Kind { numeric, text };

  std::string name = {};
  Kind kind = Kind::numeric;
  core::FloatColumn numbers = {};            ///< numeric: one per row, NaN where missing
  std::vector<std::int32_t> codes = {};      ///< text: index into levels, -1 where missing
  std::vector<std::string> levels = {};      ///< text: distinct values in order of first appearance
  std::vector<double> exact = {};            ///< numeric targets: the numbers in double; otherwise empty
  bool merged = false;                       ///< numeric: different numbers of the source became one float
  TextFormat format = {};                    ///< how text was read, or how to read it in another table
  std::optional<SparseNumbers> sparse = {};  ///< numeric: set if few numbers are nonzero; `numbers` is then empty

  std::size_t size() const {
    if (kind == Kind::text) return codes.size();
    return sparse ? sparse->size : numbers.size();
  }
  /// For numeric columns, dense or sparse.
  float number(std::size_t row) const { return sparse ? sparse->at(row) : numbers[row]; }
};

struct Table {
  std::string source;  ///< origin for messages: a path, or "data"
  std::vector<Column> columns;
  std::string target_argument = {};  ///< what messages call the target if it is an argument and not a column

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }

  /// Index of the column of that name.
  std::optional<std::size_t> find(std::string_view name) const;

  /// Index of the column with that name, or else with that 0-based index ("3"; "-1" is the last). Throws UsageError
  /// that lists the columns if there is none.
  std::size_t require(std::string_view name_or_index) const;

  /// All-numeric table from row-major values; names x0, x1, ... when none are given. NaN is a missing value;
  /// an infinity throws DataError naming row and column.
  static Table from_rows(core::MatrixView<const float> values, std::span<const std::string> names = {});

  /// Appends the columns of a sparse matrix; names x0, x1, ... when none are given. Throws DataError, naming row and
  /// column, for an infinity or a NaN: an absent entry is the number 0, so a sparse column has no missing values.
  void add_sparse(const SparseRows& values, std::span<const std::string> names = {});
};

/// The complete text parsed as a number (1, -1.5, +.5e-3, 1e6, surrounding blanks allowed); unset if it is not one.
/// Accepts "inf" and "nan" in any case.
std::optional<double> parse_number(std::string_view text);

/// Empty, blank, NA, N/A, ?, nan, null, none, in any case.
bool is_missing(std::string_view text);

}  // namespace accrete::data
