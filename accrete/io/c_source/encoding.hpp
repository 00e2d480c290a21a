#pragma once
// The encoder's tables in the exported C header. Internal to io/c_source.

#include <cstddef>
#include <vector>

#include "accrete/data/encoder.hpp"

namespace accrete::io {

/// Maps a feature of the C code to the one the network was trained on: shift + factor * feature.
struct AffineFold {
  double factor = 1.0;
  double shift = 0.0;
};

/// One per feature. One-hot features are 0 and 1 in C; factor and shift are folded into the hidden layer.
std::vector<AffineFold> feature_folds(const data::Encoder& encoder);

/// Tables to compute the features, in float, or in double if float cannot represent the numbers. Either the float or
/// the double tables are empty.
struct CEncoding {
  bool wide = false;  ///< computes in double
  /// Columns x 3: the mean rounded to float, its remainder, the scale. All 0 for a category.
  std::vector<float> standard;
  /// Columns x 2: mean, 1 / scale. Both 0 for a category.
  std::vector<double> wide_standard;
  /// Bins x 4: first boundary, width, slope, value below the bin.
  std::vector<float> bins;
  std::vector<double> wide_bins;
  std::vector<std::size_t> first_bin;      ///< of each column
  std::vector<std::size_t> first_feature;  ///< of each column, then the number of features
  std::vector<std::size_t> values;         ///< of each column: number of features without the gap flag

  bool has_bins() const { return !bins.empty() || !wide_bins.empty(); }
};

/// Throws DataError for a number that cannot be represented.
CEncoding c_encoding(const data::Encoder& encoder);

/// The number as a float. Throws DataError if it is out of range.
float to_c_float(double value);

}  // namespace accrete::io
