#pragma once
// Predictions after 0, 1, 2, ... steps, asked for one after the other.

#include <cstddef>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::model {

/// Holds the encoded rows and their scores, so that one step more costs that step's units alone:
///
///   for (StagedPrediction staged(model, table, workers);;) {
///     use(staged.steps(), staged.predictions());
///     if (!staged.next()) break;
///   }
class StagedPrediction {
 public:
  /// At 0 steps. The table is not needed afterwards; the model and the workers are. Throws as predict does.
  StagedPrediction(const Model& model, const data::Table& table, core::Workers& workers);

  StagedPrediction(const StagedPrediction&) = delete;  // the scores refer to the rows beside them
  StagedPrediction& operator=(const StagedPrediction&) = delete;

  /// Goes on by one step; false, and all stays as it is, after the last.
  bool next();

  std::size_t steps() const { return forward_.steps(); }

  /// rows x (classes, or targets), as predict gives them for so many steps; next() overwrites them.
  core::MatrixView<const double> predictions() const { return predictions_; }

 private:
  void link();

  const Model& model_;
  core::TiledMatrix features_;
  network::StagedForward forward_;
  core::Matrix<double> predictions_;
};

}  // namespace accrete::model
