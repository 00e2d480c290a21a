#pragma once
// How one column of a table fills its features; the inside of data::Encoder.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "accrete/data/encoder.hpp"
#include "accrete/data/ramps.hpp"
#include "accrete/data/standardise_kernel.hpp"

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
  if (p >= 1.0) return {0.0f, 0.0f};  // every row had it: units keep their first weights here, so nothing may move it
  const double scale = deviation > 0.0 ? deviation : 1.0;
  return {static_cast<float>((1.0 - p) / scale), static_cast<float>(-p / scale)};
}

inline Standard standard_of(const Input& input) {
  return {input.mean, 1.0 / input.scale};
}

/// What is written for the bins of a numeric input, between the number standardised and the indicator: each bin's
/// feature, or instead of them all the number itself, as data::Features wants it.
enum class BinForm { ramps, number };

/// Columns that an input fills.
inline std::size_t columns_of(const Input& input, BinForm form) {
  return form == BinForm::ramps || input.bins() == 0 ? input.width() : input.width() - input.bins() + 1;
}

/// How the features of a numeric input follow from its number.
struct NumberFeatures {
  Standard standard;
  const Ramps& ramps;
  bool indicator;
  BinForm form = BinForm::ramps;
};

/// All of them for many numbers: column c of x[i] at values[c * stride + i]; x may be values. Returns false when an
/// infinity was met.
bool encode_numbers(const NumberFeatures& by, const float* x, std::size_t count, float* values, std::size_t stride);

/// The rows to encode: those listed, or the first `count`.
struct Rows {
  const std::size_t* listed = nullptr;
  std::size_t count = 0;

  std::size_t operator[](std::size_t i) const { return listed ? listed[i] : i; }
};

/// The column of the table that an input reads, and the rows.
struct Source {
  const Table& table;
  const Column& column;
  Rows rows;
};

/// Throws DataError for an infinity at this row (counted from 0).
[[noreturn]] void throw_infinite(const Table& table, const Column& column, std::size_t row);

/// One column made ready to fill its input's features for any run of rows, from any thread. The column may be of the
/// other kind than the input: text that spells numbers is read as numbers, and a number as the level that spells it.
class ColumnEncoder {
 public:
  /// Throws DataError for text that is not a number where numbers are needed. Keeps references to what it is given.
  ColumnEncoder(const Input& input, const Source& from, BinForm form);

  /// Rows first .. first + count - 1 of those to encode: column c of the input at values + c * stride. Returns false
  /// when an infinity was met; what was written is then of no use.
  bool encode(std::size_t first, std::size_t count, float* values, std::size_t stride) const;

  /// After encode returned false for these rows: throws DataError for the first infinity among them.
  void refuse(std::size_t first, std::size_t count) const;

  /// Row i of those to encode as Encoder::encode_row takes it: the number, or the place of the level (-1: one that the
  /// input does not have); NaN where missing.
  float raw(std::size_t i) const;

 private:
  bool encode_numbers(std::size_t first, std::size_t count, float* values, std::size_t stride) const;
  bool encode_levels(std::size_t first, std::size_t count, float* values, std::size_t stride) const;
  float number_at(std::size_t row) const;
  std::int32_t level_at(std::size_t row) const;

  const Input& input_;
  Source from_;
  Standard standard_;
  Ramps ramps_;
  BinForm form_;
  std::vector<OneHot> hot_;                              ///< a text input: of each level
  std::vector<float> number_of_code_;                    ///< text where the input is numeric
  std::vector<std::int32_t> level_of_code_;              ///< text where the input is text
  std::unordered_map<float, std::int32_t> level_named_;  ///< numbers where the input is text
};

/// All the columns of a table that an encoder reads: a tile of features at a time, from any thread.
class TableEncoder {
 public:
  /// Throws DataError for a column that is missing, and as ColumnEncoder does. Keeps references.
  TableEncoder(const Encoder& encoder, const Table& table, Rows rows, BinForm form = BinForm::ramps);

  /// Column c of row first + r at tile[c * stride + r]; false when an infinity was met.
  bool encode(std::size_t first, std::size_t count, float* tile, std::size_t stride) const;
  void refuse(std::size_t first, std::size_t count) const;

  const std::vector<ColumnEncoder>& columns() const { return columns_; }

 private:
  std::vector<ColumnEncoder> columns_;
  std::vector<std::size_t> widths_;
};

/// All inputs of the rows from `first`, which begins a tile, to before `last`; throws DataError for an infinity. Calls
/// for different tiles may run at the same time.
void encode_tiles(const TableEncoder& columns, std::size_t first, std::size_t last, core::TiledMatrix& out);

}  // namespace accrete::data
