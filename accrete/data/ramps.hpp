#pragma once
// The features of a numeric input's bins, made ready to compute.

#include <cstddef>
#include <vector>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// One bin's feature: how far x is on the way from the knot to the next, 0 before and 1 after, standardised; 0 where x
/// is missing. The formula is in ramp-inl.hpp. In float, since near the knot, where digits matter, x - knot is exact.
struct Ramp {
  float knot = 0.0f;
  float inverse_width = 0.0f;
  float factor = 0.0f;
  float offset = 0.0f;
};

/// All of an input's, each part side by side.
struct Ramps {
  Ramps() = default;
  /// None for an input without bins. Throws DataError when knots, means and scales make no features.
  explicit Ramps(const Input& input);

  std::size_t size() const { return knots.size(); }
  Ramp operator[](std::size_t i) const { return {knots[i], inverse_widths[i], factors[i], offsets[i]}; }

  std::vector<float> knots, inverse_widths, factors, offsets;
};

/// A bin must be this wide at least, and at most: its width and one over it are then ordinary floats.
inline constexpr float least_bin_width = 1e-37f;
inline constexpr float most_bin_width = 1e37f;

}  // namespace accrete::data
