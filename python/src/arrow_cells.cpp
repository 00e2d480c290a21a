#include "arrow_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "accrete/core/error.hpp"

namespace accrete::python {

void throw_invalid(std::string_view column, std::string_view what) {
  throw core::DataError(fmt::format("X: column '{}': invalid Arrow data: {}", column, what));
}

ArrowSlice ArrowSlice::make(const ArrowArray* array, std::int64_t first, std::int64_t length, std::string_view column) {
  if (!array) throw_invalid(column, "an array is missing");
  constexpr auto max_cells = std::numeric_limits<std::int64_t>::max() / 32;  // byte offsets must not overflow
  if (array->length < 0 || array->offset < 0 || array->length > max_cells || array->offset > max_cells)
    throw_invalid(column, fmt::format("length {} and offset {}", array->length, array->offset));
  if (first > array->length || length > array->length - first)
    throw_invalid(column, fmt::format("{} rows where {} are expected", array->length, first + length));
  ArrowSlice slice{array, static_cast<std::size_t>(array->offset + first), static_cast<std::size_t>(length), column,
                   nullptr};
  if (array->n_buffers > 0 && array->buffers) slice.validity = static_cast<const unsigned char*>(array->buffers[0]);
  return slice;
}

const unsigned char* ArrowSlice::buffer(std::int64_t which) const {
  const bool exists = array->buffers && which < array->n_buffers;
  if (length > 0 && !(exists && array->buffers[which])) throw_invalid(column, "a buffer is missing");
  return exists ? static_cast<const unsigned char*>(array->buffers[which]) : nullptr;
}

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FFu;
  if (exponent == 0) {  // zero or subnormal
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -size : size;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

std::string format_decimal(const unsigned char* bytes, std::size_t size, int scale) {
  __extension__ using Wide = unsigned __int128;
  Wide value = 0;
  for (std::size_t b = size; b-- > 0;) value = value << 8 | bytes[b];
  const bool negative = bytes[size - 1] & 0x80;
  if (negative) {
    if (size < 16) value |= ~Wide{0} << (8 * size);
    value = ~value + 1;
  }
  std::string digits;  // in reverse order
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

TextViewCells::TextViewCells(const ArrowSlice& slice) : slice_(slice), views_(slice.buffer(1)) {
  const std::int64_t buffers = slice.array->n_buffers;
  if (buffers < 3 || !slice.array->buffers) {
    if (slice.length > 0) throw_invalid(slice.column, "a buffer is missing");
    return;
  }
  sizes_ = static_cast<const unsigned char*>(slice.array->buffers[buffers - 1]);
  count_ = sizes_ ? buffers - 3 : 0;
}

std::string_view TextViewCells::text(std::size_t i) const {
  constexpr std::int32_t max_inline = 12;
  const unsigned char* const view = views_ + (slice_.offset + i) * 16;
  const auto size = load<std::int32_t>(view, 0);
  if (size < 0) throw_invalid(slice_.column, "a text has a negative length");
  if (size <= max_inline) return {reinterpret_cast<const char*>(view + 4), static_cast<std::size_t>(size)};
  const auto which = load<std::int32_t>(view, 2), offset = load<std::int32_t>(view, 3);
  if (which < 0 || which >= count_) throw_invalid(slice_.column, "a text refers to a buffer that does not exist");
  const auto capacity = load<std::int64_t>(sizes_, static_cast<std::size_t>(which));
  const auto* bytes = static_cast<const char*>(slice_.array->buffers[2 + which]);
  if (!bytes || offset < 0 || std::int64_t{offset} + size > capacity)
    throw_invalid(slice_.column, "a text exceeds its buffer");
  return {bytes + offset, static_cast<std::size_t>(size)};
}

std::string format_date(std::int64_t days, std::int64_t seconds) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (seconds > 0) text += fmt::format(" {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  return text;
}

}  // namespace accrete::python
