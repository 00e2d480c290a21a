#include "column_reading.hpp"

#include <fmt/format.h>

#include <iterator>

#include "accrete/core/error.hpp"
#include "accrete/io/utf8.hpp"
#include "message.hpp"

namespace accrete::python {
namespace {

template <class T>
std::string shortest(T x) {
  // Adding zero turns -0 into 0.
  if (std::isfinite(x) && x == std::floor(x)) return fmt::format("{:.0f}", x + T{0});
  return fmt::format("{}", x);
}

/// Truncates a text for a message at a character boundary.
std::string shorten(std::string_view text) {
  constexpr std::size_t max_bytes = 40;
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t size = max_bytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return std::string(text.substr(0, size)) + "...";
}

}  // namespace

ColumnKind column_kind_named(std::string_view name) {
  if (name.empty()) return ColumnKind::any;
  if (name == "numeric") return ColumnKind::numeric;
  if (name == "text") return ColumnKind::text;
  if (name == "formatted") return ColumnKind::formatted;
  throw core::UsageError(fmt::format("unknown kind '{}'; allowed: numeric, text, formatted or the empty string", name));
}

std::string format_number(double x) {
  return shortest(x);
}

std::string format_number(float x) {
  return shortest(x);
}

std::string cell_location(std::string_view column, std::size_t row) {
  return fmt::format("X: column '{}', {}", column, python_rows.name(row));
}

void throw_not_a_number(std::string_view column, const TextCell& cell) {
  throw core::DataError(fmt::format("{}: '{}' is not a number; the model expects numbers",
                                    cell_location(column, cell.row), shorten(cell.text)));
}

std::int32_t Levels::code_of(std::string_view text) {
  if (text.empty()) return -1;
  if (const auto known = codes_.find(text); known != codes_.end()) return known->second;
  if (io::find_invalid_utf8(text))
    throw core::DataError(fmt::format("X: column '{}' holds text that is not UTF-8", column_));
  const auto code = static_cast<std::int32_t>(texts_.size());
  codes_.emplace(texts_.emplace_back(text), code);
  return code;
}

std::vector<std::string> Levels::take() {
  codes_.clear();
  return {std::make_move_iterator(texts_.begin()), std::make_move_iterator(texts_.end())};
}

}  // namespace accrete::python
