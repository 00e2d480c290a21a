#pragma once
// The features of a binned column: one ramp per bin.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// One bin's feature: (x - start) / (end - start) clamped to [0, 1], minus the mean, over the scale.
struct Bin {
  float start, end;
  double mean, scale;

  double width() const { return static_cast<double>(end) - static_cast<double>(start); }
  double slope() const { return 1.0 / (width() * scale); }  ///< of the standardised feature, inside the bin
  double low() const { return -mean / scale; }              ///< below the bin
  double high() const { return (1.0 - mean) / scale; }      ///< above the bin
};

/// The input's bins; none for an input without knots. Throws DataError when knots, means and scales are inconsistent or
/// out of range.
std::vector<Bin> bins_of(const Input& input);

/// A bin in single precision: low + (x - knot) * slope clamped to [low, high], 0 where x is missing (ramp-inl.hpp).
/// Near the knot, where precision matters, x - knot is exact.
struct Ramp {
  float knot = 0.0f;
  float slope = 0.0f;
  float low = 0.0f;
  float high = 0.0f;
};

/// All ramps of a column as a structure of arrays.
struct Ramps {
  Ramps() = default;
  explicit Ramps(std::span<const Bin> bins);

  std::size_t size() const { return knots.size(); }
  Ramp operator[](std::size_t i) const { return {knots[i], slopes[i], lows[i], highs[i]}; }

  std::vector<float> knots, slopes, lows, highs;
};

/// Bounds on a bin's width, so that its slope is a normal float.
inline constexpr float min_bin_width = 1e-30f;
inline constexpr float max_bin_width = 1e30f;

}  // namespace accrete::data
