#pragma once
// What the boosting loop sees: encoded features, targets and weights, all of equal length.

#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/tiled.hpp"

namespace accrete::data {

struct Dataset {
  core::TiledMatrix features;
  core::Matrix<double> targets;  ///< rows x targets (class index, or numbers already in training units)
  std::vector<double> weights;   ///< one per row, mean 1

  std::size_t rows() const { return features.rows(); }
};

}  // namespace accrete::data
