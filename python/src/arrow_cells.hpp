#pragma once
// Cell readers for each Arrow type, with the interface that column_reading.hpp expects. They validate as far as
// possible; the interface does not provide the sizes of most buffers.

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "accrete/data/table.hpp"
#include "arrow_abi.hpp"
#include "arrow_format.hpp"
#include "column_reading.hpp"

namespace accrete::python {

/// Throws DataError: "X: column 'age': invalid Arrow data: ...".
[[noreturn]] void throw_invalid(std::string_view column, std::string_view what);

/// A range of an array's cells: cell i is the array's cell offset + i. Does not own the array or the name.
struct ArrowSlice {
  const ArrowArray* array = nullptr;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string_view column;
  const unsigned char* validity = nullptr;  ///< one bit per cell, 0 for null; nullptr if no cell is null

  /// Throws DataError if the array has fewer than first + length cells.
  static ArrowSlice make(const ArrowArray* array, std::int64_t first, std::int64_t length, std::string_view column);

  /// Throws DataError if the buffer is missing, which is allowed only for an empty array.
  const unsigned char* buffer(std::int64_t which) const;
  bool valid(std::size_t i) const { return !validity || (validity[(offset + i) / 8] >> ((offset + i) % 8) & 1); }
};

/// Buffers need not be aligned.
template <class T>
T load(const unsigned char* buffer, std::size_t i) {
  T value;
  std::memcpy(&value, buffer + i * sizeof(T), sizeof(T));
  return value;
}

class NullCells {
 public:
  explicit NullCells(const ArrowSlice&) {}
  bool missing(std::size_t) const { return true; }
  std::optional<double> number(std::size_t) const { return std::nullopt; }
  std::string_view text(std::size_t) const { return {}; }
};

class BooleanCells {
 public:
  explicit BooleanCells(const ArrowSlice& slice) : slice_(slice), bits_(slice.buffer(1)) {}
  bool missing(std::size_t i) const { return !slice_.valid(i); }
  bool value(std::size_t i) const { return bits_[(slice_.offset + i) / 8] >> ((slice_.offset + i) % 8) & 1; }
  std::optional<double> number(std::size_t i) const { return value(i) ? 1.0 : 0.0; }
  std::string_view text(std::size_t i) const { return value(i) ? "True" : "False"; }

 private:
  ArrowSlice slice_;
  const unsigned char* bits_;
};

template <class T>
class NumberCells {
 public:
  explicit NumberCells(const ArrowSlice& slice) : slice_(slice), values_(slice.buffer(1)) {}
  T value(std::size_t i) const { return load<T>(values_, slice_.offset + i); }
  bool missing(std::size_t i) const { return !slice_.valid(i) || value(i) != value(i); }
  std::optional<double> number(std::size_t i) const { return static_cast<double>(value(i)); }
  std::string_view text(std::size_t i) {
    if constexpr (std::is_floating_point_v<T>)
      return buffer_ = format_number(value(i));
    else
      return buffer_ = std::to_string(value(i));
  }

 private:
  ArrowSlice slice_;
  const unsigned char* values_;
  std::string buffer_;
};

/// Converts an IEEE 754 half.
float half_to_float(std::uint16_t half);

class HalfCells {
 public:
  explicit HalfCells(const ArrowSlice& slice) : slice_(slice), values_(slice.buffer(1)) {}
  float value(std::size_t i) const { return half_to_float(load<std::uint16_t>(values_, slice_.offset + i)); }
  bool missing(std::size_t i) const { return !slice_.valid(i) || value(i) != value(i); }
  std::optional<double> number(std::size_t i) const { return value(i); }
  std::string_view text(std::size_t i) { return buffer_ = format_number(value(i)); }

 private:
  ArrowSlice slice_;
  const unsigned char* values_;
  std::string buffer_;
};

/// A little-endian integer of `size` bytes with `scale` digits after the point, written as Python's Decimal does.
std::string format_decimal(const unsigned char* bytes, std::size_t size, int scale);

class DecimalCells {
 public:
  DecimalCells(const ArrowSlice& slice, std::size_t size, int scale)
      : slice_(slice), values_(slice.buffer(1)), size_(size), scale_(scale) {}
  bool missing(std::size_t i) const { return !slice_.valid(i); }
  std::optional<double> number(std::size_t i) { return data::parse_number(text(i)); }
  std::string_view text(std::size_t i) {
    return buffer_ = format_decimal(values_ + (slice_.offset + i) * size_, size_, scale_);
  }

 private:
  ArrowSlice slice_;
  const unsigned char* values_;
  std::size_t size_;
  int scale_;
  std::string buffer_;
};

/// "2024-05-01", or "2024-05-01 13:45:10" if it is not midnight.
std::string format_date(std::int64_t days, std::int64_t seconds);

/// Formats dates as text for parse_date.
template <class T>
class DateCells {
 public:
  /// Ticks of a day: 1 for days, else 86400 times a power of ten.
  DateCells(const ArrowSlice& slice, std::int64_t ticks) : slice_(slice), values_(slice.buffer(1)), ticks_(ticks) {}
  bool missing(std::size_t i) const { return !slice_.valid(i); }
  std::optional<double> number(std::size_t) const { return std::nullopt; }
  std::string_view text(std::size_t i) {
    const std::int64_t value = load<T>(values_, slice_.offset + i);
    const std::int64_t rest = (value % ticks_ + ticks_) % ticks_;
    return buffer_ = format_date((value - rest) / ticks_, ticks_ == 1 ? 0 : rest / (ticks_ / 86'400));
  }

 private:
  ArrowSlice slice_;
  const unsigned char* values_;
  std::int64_t ticks_;
  std::string buffer_;
};

/// Offset is the integer type of the offsets buffer.
template <class Offset>
class TextCells {
 public:
  explicit TextCells(const ArrowSlice& slice) : slice_(slice), offsets_(slice.buffer(1)) {
    // Producers may omit it if all cells are empty.
    if (slice.array->buffers && slice.array->n_buffers > 2) bytes_ = static_cast<const char*>(slice.array->buffers[2]);
  }
  bool missing(std::size_t i) const { return !slice_.valid(i) || text(i).empty(); }
  std::optional<double> number(std::size_t i) const { return data::parse_number(text(i)); }
  std::string_view text(std::size_t i) const {
    const auto begin = load<Offset>(offsets_, slice_.offset + i), end = load<Offset>(offsets_, slice_.offset + i + 1);
    if (begin < 0 || end < begin) throw_invalid(slice_.column, "text offsets decrease");
    if (begin == end) return {};
    if (!bytes_) throw_invalid(slice_.column, "a buffer is missing");
    return {bytes_ + begin, static_cast<std::size_t>(end - begin)};
  }

 private:
  ArrowSlice slice_;
  const unsigned char* offsets_;
  const char* bytes_ = nullptr;
};

/// Texts of up to 12 bytes are inline in their 16-byte view, longer ones in a variadic buffer. The last buffer has the
/// sizes of the others.
class TextViewCells {
 public:
  explicit TextViewCells(const ArrowSlice& slice);
  bool missing(std::size_t i) const { return !slice_.valid(i) || text(i).empty(); }
  std::optional<double> number(std::size_t i) const { return data::parse_number(text(i)); }
  std::string_view text(std::size_t i) const;

 private:
  ArrowSlice slice_;
  const unsigned char* views_;
  const unsigned char* sizes_ = nullptr;
  std::int64_t count_ = 0;
};

/// 86400 seconds, in units of 10^-digits seconds.
constexpr std::int64_t ticks_of_day(int digits) {
  std::int64_t ticks = 86'400;
  for (int i = 0; i < digits; ++i) ticks *= 10;
  return ticks;
}

/// Calls use with the cell reader for the format.
template <class Use>
decltype(auto) with_cells(const ArrowFormat& format, const ArrowSlice& slice, Use&& use) {
  switch (format.storage) {
    case ArrowStorage::boolean:
      return use(BooleanCells(slice));
    case ArrowStorage::int8:
      return use(NumberCells<std::int8_t>(slice));
    case ArrowStorage::int16:
      return use(NumberCells<std::int16_t>(slice));
    case ArrowStorage::int32:
      return use(NumberCells<std::int32_t>(slice));
    case ArrowStorage::int64:
      return use(NumberCells<std::int64_t>(slice));
    case ArrowStorage::uint8:
      return use(NumberCells<std::uint8_t>(slice));
    case ArrowStorage::uint16:
      return use(NumberCells<std::uint16_t>(slice));
    case ArrowStorage::uint32:
      return use(NumberCells<std::uint32_t>(slice));
    case ArrowStorage::uint64:
      return use(NumberCells<std::uint64_t>(slice));
    case ArrowStorage::float16:
      return use(HalfCells(slice));
    case ArrowStorage::float32:
      return use(NumberCells<float>(slice));
    case ArrowStorage::float64:
      return use(NumberCells<double>(slice));
    case ArrowStorage::utf8:
      return use(TextCells<std::int32_t>(slice));
    case ArrowStorage::large_utf8:
      return use(TextCells<std::int64_t>(slice));
    case ArrowStorage::utf8_view:
      return use(TextViewCells(slice));
    case ArrowStorage::decimal32:
      return use(DecimalCells(slice, 4, format.scale));
    case ArrowStorage::decimal64:
      return use(DecimalCells(slice, 8, format.scale));
    case ArrowStorage::decimal128:
      return use(DecimalCells(slice, 16, format.scale));
    case ArrowStorage::date32:
      return use(DateCells<std::int32_t>(slice, 1));
    case ArrowStorage::timestamp:
      return use(DateCells<std::int64_t>(slice, ticks_of_day(format.scale)));
    case ArrowStorage::null:
      break;
  }
  return use(NullCells(slice));
}

}  // namespace accrete::python
