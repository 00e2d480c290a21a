#pragma once
// Prediction with early exit.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Throws UsageError unless the model has early exit.
void require_early_exit(const Model& model);

struct ExitPredictions {
  core::Matrix<double> values;     ///< as predict returns them
  std::vector<std::size_t> units;  ///< units used by each row

  double mean_units() const;
};

/// A row that stops at an exit gets the prediction of that prefix, and any other row that of all units. Throws as
/// predict does, and UsageError for a model without early exit or a table whose columns are all sparse.
ExitPredictions predict_exit(const Model& model, const data::Table& table, core::Workers& workers);
ExitPredictions predict_exit(const Model& model, core::MatrixView<const float> raw, core::Workers& workers);

/// "no early exit: ..." for exports, which predict without it; empty if the model has none.
std::string exit_note(const Model& model);

}  // namespace accrete::model
