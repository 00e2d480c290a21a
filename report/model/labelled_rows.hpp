#pragma once
// A model and the labelled rows it is measured on.

#include <cstddef>
#include <functional>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/metric/labelled_predictions.hpp"
#include "accrete/model/model.hpp"

namespace accrete::report {

struct LabelledRows {
  const model::Model& model;
  const data::Table& table;
  core::Matrix<double> targets;      ///< from data::read_target_as
  std::vector<double> weights;       ///< one per row, or empty: all 1
  std::vector<double> offsets = {};  ///< added to the scores, in the target's units; one per row, or empty

  metric::LabelledPredictions with(core::MatrixView<const double> predictions) const {
    return {predictions, targets, weights, model.point()};
  }
};

/// Called with (done, total); returns false to stop.
using ProgressCallback = std::function<bool(std::size_t, std::size_t)>;

}  // namespace accrete::report
