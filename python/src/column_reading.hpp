#pragma once
// How cells become a column, the same for Arrow memory and for Python objects: numbers where every cell is one or
// spells one, text otherwise. A null, a NaN and an empty text are gaps; a word such as NA is not, since whoever holds a
// frame has real gaps to say it with.

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

/// What a column must become: what its cells suggest, or what a fitted model expects.
enum class Wanted { any, numeric, text };

/// "" is any. Throws UsageError.
Wanted wanted_named(std::string_view name);

/// A number as the name of a category: whole ones as integers, others by the fewest digits that give them back. The
/// same as text_of in _frames.py.
std::string spelt(double x);
std::string spelt(float x);

/// A cell that is no number where numbers are needed.
struct NoNumber {
  std::size_t row;
  std::string text;
};

/// "X: column 'age', row 3"; rows are counted from 0, as Python's are.
std::string place_of(std::string_view column, std::size_t row);

/// Distinct texts, in order of first appearance.
class Levels {
 public:
  explicit Levels(std::string_view column) : column_(column) {}

  /// -1 for an empty text. Throws DataError where a text is not UTF-8: a model file could not keep it.
  std::int32_t code_of(std::string_view text);

  std::vector<std::string> take();

 private:
  std::string column_;
  std::deque<std::string> texts_;  // which stay where they are, since the keys look into them
  std::unordered_map<std::string_view, std::int32_t> codes_;
};

/// Cells have gap(i), number(i) (nothing where cell i is a text that is no number) and text(i), the last of them valid
/// until the next call. The cells up to the first that is no number; that one, if any.
template <class Cells>
std::optional<NoNumber> fill_numbers(Cells&& cells, std::size_t count, float* into) {
  for (std::size_t i = 0; i < count; ++i) {
    into[i] = std::numeric_limits<float>::quiet_NaN();
    if (cells.gap(i)) continue;
    const std::optional<double> number = cells.number(i);
    if (!number) return NoNumber{i, std::string(cells.text(i))};
    into[i] = static_cast<float>(*number);
  }
  return std::nullopt;
}

template <class Cells>
void fill_codes(Cells&& cells, std::size_t count, Levels& levels, std::int32_t* into) {
  for (std::size_t i = 0; i < count; ++i) into[i] = cells.gap(i) ? -1 : levels.code_of(cells.text(i));
}

[[noreturn]] void refuse_text(std::string_view column, const NoNumber& cell);

/// The source has rows(), numbers(float*), which is as fill_numbers, and codes(Levels&, int32*).
template <class Source>
data::Column read_column(Source&& source, std::string name, Wanted wanted) {
  data::Column column{std::move(name), data::Column::Kind::numeric, {}, {}, {}};
  if (wanted != Wanted::text) {
    column.numbers.resize(source.rows());
    const auto text = source.numbers(column.numbers.data());
    if (!text) return column;
    if (wanted == Wanted::numeric) refuse_text(column.name, *text);
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
