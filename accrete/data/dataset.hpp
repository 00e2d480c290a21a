#pragma once
// The training data of the boosting loop: encoded features, targets and weights of the same rows. Across ranks
// (accrete/comm), every rank has the targets and weights of all rows, and the features of its own ones.

#include <cstddef>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/features.hpp"

namespace accrete::data {

struct Dataset {
  Features features;                 ///< of all rows, or of first_row and those after it
  core::Matrix<double> targets;      ///< rows x targets (class index, or numbers already in training units)
  std::vector<double> weights;       ///< one per row, mean 1
  std::vector<double> offsets = {};  ///< added to the score of each row's only output; empty: none
  double row_weight = 1.0;    ///< mean of the weights as given; scales penalties, so that a row of weight 2 is two rows
  std::size_t first_row = 0;  ///< of the features

  std::size_t rows() const { return targets.rows(); }
};

}  // namespace accrete::data
