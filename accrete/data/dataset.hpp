#pragma once
// The training data of the boosting loop: encoded features, targets and weights of the same rows.

#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/features.hpp"

namespace accrete::data {

struct Dataset {
  Features features;
  core::Matrix<double> targets;      ///< rows x targets (class index, or numbers already in training units)
  std::vector<double> weights;       ///< one per row, mean 1
  std::vector<double> offsets = {};  ///< added to the score of each row's only output; empty: none
  double row_weight = 1.0;  ///< mean of the weights as given; scales penalties, so that a row of weight 2 is two rows

  std::size_t rows() const { return features.rows(); }
};

}  // namespace accrete::data
