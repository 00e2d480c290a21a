#pragma once
// How one column of a table fills its features; the inside of data::Encoder.

#include <cmath>
#include <cstddef>

#include "accrete/core/tiled.hpp"
#include "accrete/data/encoder.hpp"

namespace accrete::data {

/// The two values of a one-hot feature: where the row has the level, and where it has another or none.
struct OneHot {
  float on = 1.0f;
  float off = 0.0f;
};

/// The one place that decides them: 1 and 0, shifted and scaled by the level's share of the training rows. A level that
/// every row or no row had (a share of 1 or 0) is left unscaled.
inline OneHot one_hot(const Input& input, std::size_t level) {
  const double p = input.shares[level], deviation = std::sqrt(p * (1.0 - p));
  const double scale = deviation > 0.0 ? deviation : 1.0;
  return {static_cast<float>((1.0 - p) / scale), static_cast<float>(-p / scale)};
}

/// NaN is missing and becomes the mean.
inline float standardised(const Input& input, float x) {
  const auto value = static_cast<float>((static_cast<double>(x) - input.mean) / input.scale);
  return std::isnan(x) ? 0.0f : value;
}

/// The rows to encode: those listed, or the first `count`.
struct Rows {
  const std::size_t* listed = nullptr;
  std::size_t count = 0;

  std::size_t operator[](std::size_t i) const { return listed ? listed[i] : i; }
};

/// The column of the table that an input reads, and which of the rows: from `first`, which begins a tile, to before
/// `last`.
struct Source {
  const Table& table;
  const Column& column;
  Rows rows;
  std::size_t first, last;
};

/// Throws DataError for an infinity at this row (counted from 0).
[[noreturn]] void throw_infinite(const Table& table, const Column& column, std::size_t row);

/// Fills features feature .. feature + input.width() - 1 of `out`, which are zero before. The column may be
/// of the other kind than the input: text that spells numbers is read as numbers, and a number as the level
/// that spells it. Throws DataError for text that is not a number where numbers are needed, and for an
/// infinity.
void encode_column(const Input& input, const Source& from, std::size_t feature, core::TiledMatrix& out);

/// All inputs of the rows from `first`, which begins a tile, to before `last`; throws as Encoder::encode does. Calls
/// for different tiles may run at the same time.
void encode_tiles(const Encoder& encoder, const Table& table, Rows rows, std::size_t first, std::size_t last,
                  core::TiledMatrix& out);

}  // namespace accrete::data
