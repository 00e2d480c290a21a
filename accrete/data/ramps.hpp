#pragma once
// The features of a numeric input's bins, made ready to compute.

#include <cstddef>
#include <vector>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// One bin's feature: (x - origin) * slope, kept from low to high; 0 where x is missing.
struct Ramp {
  double origin = 0.0;  ///< where the feature is 0: its mean
  double slope = 0.0;
  float low = 0.0f;  ///< below the bin
  float high = 0.0f;
};

/// All of an input's, each part side by side.
struct Ramps {
  Ramps() = default;
  /// None for an input without bins. Throws DataError when knots, means and scales make no features.
  explicit Ramps(const Input& input);

  std::size_t size() const { return origins.size(); }
  Ramp operator[](std::size_t i) const { return {origins[i], slopes[i], lows[i], highs[i]}; }

  std::vector<double> origins, slopes;
  std::vector<float> lows, highs;
};

}  // namespace accrete::data
