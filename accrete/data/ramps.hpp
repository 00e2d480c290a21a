#pragma once
// The features of a numeric input's bins, made ready to compute.

#include <cstddef>
#include <vector>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// One bin's feature: how far x is on the way from the knot to the next, 0 before and 1 after, standardised. That is
/// low + (x - knot) * slope, kept from low to high, and 0 where x is missing; ramp-inl.hpp has it. In float: near the
/// knot, where digits matter, x - knot is exact.
struct Ramp {
  float knot = 0.0f;
  float slope = 0.0f;
  float low = 0.0f;  ///< below the bin
  float high = 0.0f;
};

/// All of an input's, each part side by side.
struct Ramps {
  Ramps() = default;
  /// None for an input without bins. Throws DataError when knots, means and scales make no features.
  explicit Ramps(const Input& input);

  std::size_t size() const { return knots.size(); }
  Ramp operator[](std::size_t i) const { return {knots[i], slopes[i], lows[i], highs[i]}; }

  std::vector<float> knots, slopes, lows, highs;
};

/// A bin must be this wide at least, and at most, so that its slope is an ordinary float.
inline constexpr float least_bin_width = 1e-30f;
inline constexpr float most_bin_width = 1e30f;

}  // namespace accrete::data
