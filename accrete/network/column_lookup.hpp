#pragma once
// The lookup table of one input column for prediction. For every unit, the features of a column together are one
// function of the raw value (data/encoder/column_encoding.hpp):
//
//   linear     a number without bins and gap flag     weight * position
//   piecewise  any other number                       base[entry] + position * rise[entry]
//   levels     a category                             base[entry]
//
// A piecewise column has one entry below its first knot, one per bin, one above its last knot and one for missing
// values. Inside a bin the position runs from 0 to 1; outside, it is the standardised distance to the nearest knot. A
// category has an entry per level, one for unseen levels and one for missing values.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accrete/data/encoder/column_encoding.hpp"
#include "accrete/network/interleaved_weights.hpp"

namespace accrete::network {

/// A raw value as an index into the tables of a group of units.
struct TableCode {
  std::uint32_t entry;  ///< offset in floats from the start of the group; unused for linear columns
  float position;       ///< unused for categories
};

class ColumnLookup {
 public:
  enum class Kind { linear, piecewise, levels };

  explicit ColumnLookup(const data::ColumnEncoding& column);

  Kind kind() const { return kind_; }
  /// Floats in the table of one group of units.
  std::size_t size() const { return entries_ * entry_size(); }

  /// Writes the table of one group. column: the one given to the constructor; weights: those of its first feature in
  /// InterleavedWeights; table: size() floats.
  void fill(const data::ColumnEncoding& column, const float* weights, float* table) const;

  /// A strided array of raw values.
  struct RawValues {
    const float* x;
    std::size_t count, stride;
  };
  /// Writes the code of value i to codes[i * code_stride]. table: offset of the column's table within a group. Returns
  /// false if a number is infinite, which leaves the codes undefined. Does not allocate.
  bool find(const RawValues& values, std::uint32_t table, TableCode* codes, std::size_t code_stride) const;

 private:
  static constexpr std::size_t width = InterleavedWeights::width;
  /// position = (x - knot) * inverse
  struct Interval {
    double knot, inverse;
  };

  std::size_t entry_size() const { return kind_ == Kind::piecewise ? 2 * width : width; }
  void fill_piecewise(const data::ColumnEncoding& column, const float* weights, float* table) const;
  void fill_levels(const data::ColumnEncoding& column, const float* weights, float* table) const;
  /// As find, for up to `count` values; x is padded.
  bool find_numbers(const float* x, std::uint32_t table, TableCode* codes, std::size_t count,
                    std::size_t code_stride) const;
  TableCode code_of_level(float x, std::uint32_t table) const;

  Kind kind_;
  std::size_t entries_ = 1;
  std::vector<float> knots_;
  std::vector<Interval> intervals_;  ///< numbers: one per entry, except the one for missing values
};

}  // namespace accrete::network
