#include "column_reading.hpp"

#include <fmt/format.h>

#include <iterator>

#include "accrete/core/error.hpp"
#include "accrete/io/utf8.hpp"

namespace accrete::python {
namespace {

template <class T>
std::string shortest(T x) {
  // Adding zero takes the sign from a negative zero.
  if (std::isfinite(x) && x == std::floor(x)) return fmt::format("{:.0f}", x + T{0});
  return fmt::format("{}", x);
}

/// A text for a message, cut short between characters.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return std::string(text);
  std::size_t size = most;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return std::string(text.substr(0, size)) + "...";
}

}  // namespace

Wanted wanted_named(std::string_view name) {
  if (name.empty()) return Wanted::any;
  if (name == "numeric") return Wanted::numeric;
  if (name == "text") return Wanted::text;
  throw core::UsageError(fmt::format("unknown kind '{}'; allowed: numeric, text, or nothing", name));
}

std::string spelt(double x) {
  return shortest(x);
}

std::string spelt(float x) {
  return shortest(x);
}

std::string place_of(std::string_view column, std::size_t row) {
  return fmt::format("X: column '{}', row {}", column, row);
}

void refuse_text(std::string_view column, const NoNumber& cell) {
  throw core::DataError(fmt::format("{}: '{}' is not a number; the model needs numbers here",
                                    place_of(column, cell.row), shown(cell.text)));
}

std::int32_t Levels::code_of(std::string_view text) {
  if (text.empty()) return -1;
  if (const auto known = codes_.find(text); known != codes_.end()) return known->second;
  if (io::find_not_utf8(text))
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
