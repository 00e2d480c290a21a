#pragma once
// Reads one column of a table, of any kind, as raw values (column_encoding.hpp).

#include <cstddef>
#include <memory>
#include <vector>

#include "accrete/data/encoder/known_levels.hpp"
#include "accrete/data/input.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// The rows to read: the listed ones, or the first `count`.
struct RowSelection {
  const std::size_t* listed = nullptr;
  std::size_t count = 0;

  std::size_t operator[](std::size_t i) const { return listed ? listed[i] : i; }
};

/// A column of a table and the rows to read from it.
struct ColumnSource {
  const Table& table;
  const Column& column;
  RowSelection rows;
};

/// Throws DataError for an infinity at this row (0-based).
[[noreturn]] void throw_infinite(const Table& table, const Column& column, std::size_t row);

/// The kinds of column and input may differ: text that represents numbers is read as numbers, and a number is read as
/// the level that represents it. Thread-safe.
class ColumnReader {
 public:
  /// Throws DataError for text that is not a number if the input is numeric. Keeps references to its arguments. known:
  /// the input's KnownLevels if available, to avoid building them again.
  ColumnReader(const Input& input, const ColumnSource& from, const KnownLevels* known = nullptr);

  /// Raw values of selected rows first .. first + count - 1: a pointer into the column, or to `buffer` (count values),
  /// which it fills. Null if a number is infinite but a level is needed.
  const float* read(std::size_t first, std::size_t count, float* buffer) const;

  /// Raw value of selected row i; an unseen level is -1.
  float raw(std::size_t i) const;

  /// Throws DataError for the first infinity among selected rows first .. first + count - 1, if any.
  void refuse_infinite(std::size_t first, std::size_t count) const;

 private:
  float raw_at(std::size_t row) const;
  const float* read_sparse(std::size_t first, std::size_t count, float* buffer) const;

  bool numeric_;  ///< the input is numeric
  ColumnSource from_;
  std::vector<float> value_of_code_;  ///< text column: raw value of each code
  std::shared_ptr<const KnownLevels> own_;
  const KnownLevels* known_;  ///< null for numbers
};

}  // namespace accrete::data
