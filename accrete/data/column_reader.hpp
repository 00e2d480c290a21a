#pragma once
// Reads one column of a table as raw values (column_encoding.hpp), whatever kind the column is.

#include <cstddef>
#include <cstdint>
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

/// A column of a table and the rows to read of it.
struct ColumnSource {
  const Table& table;
  const Column& column;
  RowSelection rows;
};

/// Throws DataError for an infinity at this row (0-based).
[[noreturn]] void throw_infinite(const Table& table, const Column& column, std::size_t row);

/// The kind of the column may differ from the kind of the input: text that spells numbers is read as numbers, and a
/// number as the level that spells it. Thread-safe.
class ColumnReader {
 public:
  /// Throws DataError for text that is not a number where the input is numeric. Keeps references to its arguments.
  /// known: of the input, if it was made before.
  ColumnReader(const Input& input, const ColumnSource& from, const KnownLevels* known = nullptr);

  /// Raw values of selected rows first .. first + count - 1: a pointer into the column, or `buffer` (count values)
  /// filled with them. Null if a number is infinite where a level is needed.
  const float* read(std::size_t first, std::size_t count, float* buffer) const;

  /// Raw value of selected row i; an unseen level is -1.
  float raw(std::size_t i) const;

  /// Throws DataError for the first infinity among selected rows first .. first + count - 1, if there is one.
  void refuse_infinite(std::size_t first, std::size_t count) const;

 private:
  float raw_at(std::size_t row) const;
  const float* read_sparse(std::size_t first, std::size_t count, float* buffer) const;

  bool numeric_;  ///< the input's kind
  ColumnSource from_;
  std::vector<float> value_of_code_;  ///< a text column: raw value of each code
  std::shared_ptr<const KnownLevels> own_;
  const KnownLevels* known_;  ///< null for numbers
};

}  // namespace accrete::data
