#include "arrow_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "accrete/core/error.hpp"

namespace accrete::python {

void refuse_broken(std::string_view column, std::string_view what) {
  throw core::DataError(fmt::format("X: column '{}': the Arrow data is broken: {}", column, what));
}

Piece Piece::of(const ArrowArray* array, std::int64_t first, std::int64_t length, std::string_view column) {
  if (!array) refuse_broken(column, "an array is missing");
  constexpr auto most = std::numeric_limits<std::int64_t>::max() / 32;  // what follows multiplies by the size of a cell
  if (array->length < 0 || array->offset < 0 || array->length > most || array->offset > most)
    refuse_broken(column, fmt::format("it has {} rows from row {} on", array->length, array->offset));
  if (first > array->length || length > array->length - first)
    refuse_broken(column, fmt::format("it has {} rows of {}", array->length, first + length));
  Piece piece{array, static_cast<std::size_t>(array->offset + first), static_cast<std::size_t>(length), column,
              nullptr};
  if (array->n_buffers > 0 && array->buffers) piece.validity = static_cast<const unsigned char*>(array->buffers[0]);
  return piece;
}

const unsigned char* Piece::buffer(std::int64_t which) const {
  const bool there = array->buffers && which < array->n_buffers;
  if (length > 0 && !(there && array->buffers[which])) refuse_broken(column, "a buffer is missing");
  return there ? static_cast<const unsigned char*>(array->buffers[which]) : nullptr;
}

float widened(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FFu;
  if (exponent == 0) {  // zero and the numbers below the normal ones: a multiple of the smallest
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -size : size;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

std::string spelt_decimal(const unsigned char* bytes, std::size_t size, int scale) {
  __extension__ using Wide = unsigned __int128;
  Wide value = 0;
  for (std::size_t b = size; b-- > 0;) value = value << 8 | bytes[b];
  const bool negative = bytes[size - 1] & 0x80;
  if (negative) {
    if (size < 16) value |= ~Wide{0} << (8 * size);
    value = ~value + 1;
  }
  std::string digits;  // last first
  for (; value > 0; value /= 10) digits += static_cast<char>('0' + static_cast<int>(value % 10));
  if (scale > 0) {
    const auto after = static_cast<std::size_t>(scale);
    if (digits.size() <= after) digits.append(after + 1 - digits.size(), '0');
    digits.insert(after, 1, '.');
  } else if (digits.empty()) {
    digits.assign(1, '0');
  } else {
    digits.insert(0, static_cast<std::size_t>(-scale), '0');
  }
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

TextViewCells::TextViewCells(const Piece& piece) : piece_(piece), views_(piece.buffer(1)) {
  const std::int64_t buffers = piece.array->n_buffers;
  if (buffers < 3 || !piece.array->buffers) {
    if (piece.length > 0) refuse_broken(piece.column, "a buffer is missing");
    return;
  }
  sizes_ = static_cast<const unsigned char*>(piece.array->buffers[buffers - 1]);
  count_ = sizes_ ? buffers - 3 : 0;
}

std::string_view TextViewCells::text(std::size_t i) const {
  constexpr std::int32_t most_inside = 12;
  const unsigned char* const view = views_ + (piece_.offset + i) * 16;
  const auto size = load<std::int32_t>(view, 0);
  if (size < 0) refuse_broken(piece_.column, "a text has a negative length");
  if (size <= most_inside) return {reinterpret_cast<const char*>(view + 4), static_cast<std::size_t>(size)};
  const auto which = load<std::int32_t>(view, 2), offset = load<std::int32_t>(view, 3);
  if (which < 0 || which >= count_) refuse_broken(piece_.column, "a text lies in a buffer that is not there");
  const auto room = load<std::int64_t>(sizes_, static_cast<std::size_t>(which));
  const auto* bytes = static_cast<const char*>(piece_.array->buffers[2 + which]);
  if (!bytes || offset < 0 || std::int64_t{offset} + size > room)
    refuse_broken(piece_.column, "a text lies outside its buffer");
  return {bytes + offset, static_cast<std::size_t>(size)};
}

}  // namespace accrete::python
