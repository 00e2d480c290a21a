#pragma once
// Converts cells to a column, for Arrow arrays and Python objects. A column is numeric if every cell is a number or
// parses as one, otherwise text. Null, NaN and empty text are missing values; unlike in a CSV file, words such as NA
// are not, because frames have nulls.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::python {

/// The kind a column must have: determined by its cells (any), or expected by a fitted model. formatted: numbers, or
/// text that is read later in a format of the model.
enum class ColumnKind { any, numeric, text, formatted };

/// "" means any. Throws UsageError for other names.
ColumnKind column_kind_named(std::string_view name);

/// A number as the name of a category: whole numbers as integers, others with the shortest digits that round-trip. The
/// same as text_of in _frames.py.
std::string format_number(double x);
std::string format_number(float x);

/// A cell of a numeric column that is not a number.
struct TextCell {
  std::size_t row;
  std::string text;
};

/// "X: column 'age', row 3 (counting from 0)"
std::string cell_location(std::string_view column, std::size_t row);

/// Distinct texts, in order of first appearance.
class Levels {
 public:
  explicit Levels(std::string_view column) : column_(column) {}

  /// -1 for an empty text. Throws DataError for text that is not UTF-8, which a model file cannot store.
  std::int32_t code_of(std::string_view text);

  std::vector<std::string> take();

 private:
  std::string column_;
  std::deque<std::string> texts_;  // a deque, because the keys refer to its elements
  std::unordered_map<std::string_view, std::int32_t> codes_;
};

/// Cells must have missing(i), number(i) (nullopt for text that is not a number) and text(i), which is valid until the
/// next call. Stops at the first cell that is not a number and returns it.
template <class Cells>
std::optional<TextCell> fill_numbers(Cells&& cells, std::size_t count, float* into) {
  for (std::size_t i = 0; i < count; ++i) {
    into[i] = std::numeric_limits<float>::quiet_NaN();
    if (cells.missing(i)) continue;
    const std::optional<double> number = cells.number(i);
    if (!number) return TextCell{i, std::string(cells.text(i))};
    into[i] = static_cast<float>(*number);
  }
  return std::nullopt;
}

template <class Cells>
void fill_codes(Cells&& cells, std::size_t count, Levels& levels, std::int32_t* into) {
  for (std::size_t i = 0; i < count; ++i) into[i] = cells.missing(i) ? -1 : levels.code_of(cells.text(i));
}

[[noreturn]] void throw_not_a_number(std::string_view column, const TextCell& cell);

/// The source must have rows(), numbers(float*), which returns the result of fill_numbers, and codes(Levels&, int32*).
template <class Source>
data::Column read_column(Source&& source, std::string name, ColumnKind kind) {
  data::Column column{std::move(name), data::Column::Kind::numeric, {}, {}, {}};
  if (kind != ColumnKind::text && kind != ColumnKind::formatted) {
    column.numbers.resize(source.rows());
    const auto text = source.numbers(column.numbers.data());
    if (!text) return column;
    if (kind == ColumnKind::numeric) throw_not_a_number(column.name, *text);
    column.numbers = {};
  }
  column.kind = data::Column::Kind::text;
  column.codes.resize(source.rows());
  Levels levels(column.name);
  source.codes(levels, column.codes.data());
  column.levels = levels.take();
  return column;
}

}  // namespace accrete::python
