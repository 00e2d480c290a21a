#pragma once
// The training data of the boosting loop: encoded features, targets and weights of the same rows. Across ranks
// (accrete/comm), every rank has the targets and weights of all rows, but only the features of its own rows.

#include <cstddef>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/features.hpp"

namespace accrete::data {

struct Dataset {
  Features features;                 ///< all rows, or a range that starts at first_row
  core::Matrix<double> targets;      ///< rows x targets: a class index, or numbers in training units
  std::vector<double> weights;       ///< one per row, mean 1
  std::vector<double> offsets = {};  ///< added to the score of each row, for one output; empty: none
  double row_weight = 1.0;    ///< mean weight before normalisation; scales penalties, so that weight 2 equals two rows
  std::size_t first_row = 0;  ///< index of the first row of features

  std::size_t rows() const { return targets.rows(); }
};

}  // namespace accrete::data
