#pragma once
// The cells of one chunk of an Arrow column, type by type, in the form that column_reading.hpp asks for. What a broken
// producer can get wrong and a look can tell is refused; the size of a buffer, mostly, nobody can tell.

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

/// Throws DataError: "X: column 'age': the Arrow data is broken: ...".
[[noreturn]] void refuse_broken(std::string_view column, std::string_view what);

/// A stretch of an array: cell i of it is the array's cell offset + i. The array and the name are kept by others.
struct Piece {
  const ArrowArray* array = nullptr;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string_view column;
  const unsigned char* validity = nullptr;  ///< a bit per cell, unset for a null; or nullptr where there is none

  /// The whole array, or the part of it that its parent shows. Throws DataError where that is more than it has.
  static Piece of(const ArrowArray* array, std::int64_t first, std::int64_t length, std::string_view column);

  /// Refuses a missing one, unless there are no cells, which is when it may be.
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
  explicit NullCells(const Piece&) {}
  bool gap(std::size_t) const { return true; }
  std::optional<double> number(std::size_t) const { return std::nullopt; }
  std::string_view text(std::size_t) const { return {}; }
};

class BooleanCells {
 public:
  explicit BooleanCells(const Piece& piece) : piece_(piece), bits_(piece.buffer(1)) {}
  bool gap(std::size_t i) const { return !piece_.valid(i); }
  bool value(std::size_t i) const { return bits_[(piece_.offset + i) / 8] >> ((piece_.offset + i) % 8) & 1; }
  std::optional<double> number(std::size_t i) const { return value(i) ? 1.0 : 0.0; }
  std::string_view text(std::size_t i) const { return value(i) ? "True" : "False"; }

 private:
  Piece piece_;
  const unsigned char* bits_;
};

template <class T>
class NumberCells {
 public:
  explicit NumberCells(const Piece& piece) : piece_(piece), values_(piece.buffer(1)) {}
  T value(std::size_t i) const { return load<T>(values_, piece_.offset + i); }
  bool gap(std::size_t i) const { return !piece_.valid(i) || value(i) != value(i); }
  std::optional<double> number(std::size_t i) const { return static_cast<double>(value(i)); }
  std::string_view text(std::size_t i) {
    if constexpr (std::is_floating_point_v<T>)
      return spelling_ = spelt(value(i));
    else
      return spelling_ = std::to_string(value(i));
  }

 private:
  Piece piece_;
  const unsigned char* values_;
  std::string spelling_;
};

/// The bits of a float of 16 bits.
float widened(std::uint16_t half);

class HalfCells {
 public:
  explicit HalfCells(const Piece& piece) : piece_(piece), values_(piece.buffer(1)) {}
  float value(std::size_t i) const { return widened(load<std::uint16_t>(values_, piece_.offset + i)); }
  bool gap(std::size_t i) const { return !piece_.valid(i) || value(i) != value(i); }
  std::optional<double> number(std::size_t i) const { return value(i); }
  std::string_view text(std::size_t i) { return spelling_ = spelt(value(i)); }

 private:
  Piece piece_;
  const unsigned char* values_;
  std::string spelling_;
};

/// The integer of so many bytes at that address, with a point before the last `scale` digits, as Python's Decimal has
/// it.
std::string spelt_decimal(const unsigned char* bytes, std::size_t size, int scale);

class DecimalCells {
 public:
  DecimalCells(const Piece& piece, std::size_t size, int scale)
      : piece_(piece), values_(piece.buffer(1)), size_(size), scale_(scale) {}
  bool gap(std::size_t i) const { return !piece_.valid(i); }
  std::optional<double> number(std::size_t i) { return data::parse_number(text(i)); }
  std::string_view text(std::size_t i) {
    return spelling_ = spelt_decimal(values_ + (piece_.offset + i) * size_, size_, scale_);
  }

 private:
  Piece piece_;
  const unsigned char* values_;
  std::size_t size_;
  int scale_;
  std::string spelling_;
};

/// Offset is the type of the places where a text begins and ends.
template <class Offset>
class TextCells {
 public:
  explicit TextCells(const Piece& piece) : piece_(piece), offsets_(piece.buffer(1)) {
    // May be missing where all texts are empty.
    if (piece.array->buffers && piece.array->n_buffers > 2) bytes_ = static_cast<const char*>(piece.array->buffers[2]);
  }
  bool gap(std::size_t i) const { return !piece_.valid(i) || text(i).empty(); }
  std::optional<double> number(std::size_t i) const { return data::parse_number(text(i)); }
  std::string_view text(std::size_t i) const {
    const auto begin = load<Offset>(offsets_, piece_.offset + i), end = load<Offset>(offsets_, piece_.offset + i + 1);
    if (begin < 0 || end < begin) refuse_broken(piece_.column, "offsets run backwards");
    if (begin == end) return {};
    if (!bytes_) refuse_broken(piece_.column, "a buffer is missing");
    return {bytes_ + begin, static_cast<std::size_t>(end - begin)};
  }

 private:
  Piece piece_;
  const unsigned char* offsets_;
  const char* bytes_ = nullptr;
};

/// Texts of up to 12 bytes lie in their 16-byte view, longer ones in one of several buffers, whose sizes the last
/// tells.
class TextViewCells {
 public:
  explicit TextViewCells(const Piece& piece);
  bool gap(std::size_t i) const { return !piece_.valid(i) || text(i).empty(); }
  std::optional<double> number(std::size_t i) const { return data::parse_number(text(i)); }
  std::string_view text(std::size_t i) const;

 private:
  Piece piece_;
  const unsigned char* views_;
  const unsigned char* sizes_ = nullptr;
  std::int64_t count_ = 0;
};

/// use(cells) for the cells of the type.
template <class Use>
decltype(auto) with_cells(const Format& format, const Piece& piece, Use&& use) {
  switch (format.storage) {
    case Storage::boolean:
      return use(BooleanCells(piece));
    case Storage::int8:
      return use(NumberCells<std::int8_t>(piece));
    case Storage::int16:
      return use(NumberCells<std::int16_t>(piece));
    case Storage::int32:
      return use(NumberCells<std::int32_t>(piece));
    case Storage::int64:
      return use(NumberCells<std::int64_t>(piece));
    case Storage::uint8:
      return use(NumberCells<std::uint8_t>(piece));
    case Storage::uint16:
      return use(NumberCells<std::uint16_t>(piece));
    case Storage::uint32:
      return use(NumberCells<std::uint32_t>(piece));
    case Storage::uint64:
      return use(NumberCells<std::uint64_t>(piece));
    case Storage::float16:
      return use(HalfCells(piece));
    case Storage::float32:
      return use(NumberCells<float>(piece));
    case Storage::float64:
      return use(NumberCells<double>(piece));
    case Storage::utf8:
      return use(TextCells<std::int32_t>(piece));
    case Storage::large_utf8:
      return use(TextCells<std::int64_t>(piece));
    case Storage::utf8_view:
      return use(TextViewCells(piece));
    case Storage::decimal32:
      return use(DecimalCells(piece, 4, format.scale));
    case Storage::decimal64:
      return use(DecimalCells(piece, 8, format.scale));
    case Storage::decimal128:
      return use(DecimalCells(piece, 16, format.scale));
    case Storage::null:
      break;
  }
  return use(NullCells(piece));
}

}  // namespace accrete::python
