#pragma once
// Predictions after 0, 1, 2, ... steps, one prefix at a time.

#include <cstddef>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"
#include "accrete/model/staged_rows.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::model {

/// Keeps the encoded rows and their scores, so that next() evaluates only the units of one step:
///
///   for (StagedPrediction staged(model, table, workers);;) {
///     use(staged.steps(), staged.predictions());
///     if (!staged.next()) break;
///   }
class StagedPrediction {
 public:
  /// Starts at 0 steps. Keeps references to the model and the workers, but not to the table. Throws like predict.
  StagedPrediction(const Model& model, const data::Table& table, core::Workers& workers);
  /// The same for rows that may reference a table.
  StagedPrediction(const Model& model, StagedRows rows, core::Workers& workers);

  StagedPrediction(const StagedPrediction&) = delete;  // forward_ refers to rows_
  StagedPrediction& operator=(const StagedPrediction&) = delete;

  /// Advances by one step. After the last step, returns false and changes nothing.
  bool next();

  std::size_t steps() const { return forward_.steps(); }

  /// rows x (classes, or targets), as predict with steps() returns them; next() overwrites them.
  core::MatrixView<const double> predictions() const { return predictions_; }

 private:
  void link();

  const Model& model_;
  StagedRows rows_;
  network::StagedForward forward_;
  core::Matrix<double> predictions_;
};

}  // namespace accrete::model
