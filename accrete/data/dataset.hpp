#pragma once
// What the boosting loop sees: encoded features, targets and weights, all of equal length.

#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/features.hpp"

namespace accrete::data {

struct Dataset {
  Features features;
  core::Matrix<double> targets;  ///< rows x targets (class index, or numbers already in training units)
  std::vector<double> weights;   ///< one per row, mean 1
  double row_weight = 1.0;       ///< mean of the weights as they were given: how many rows a row counts as in penalties

  std::size_t rows() const { return features.rows(); }
};

}  // namespace accrete::data
