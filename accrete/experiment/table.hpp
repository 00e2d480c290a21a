#pragma once
// The paper's table: each method on each task, with settings chosen inside every training part and scored on the
// held-out rows.

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/run.hpp"

namespace accrete::experiment {

/// Stores each cell as soon as it is done (experiment/outcome.hpp). Reads the data of all tasks before the first fit,
/// so that errors in any of them are reported at once. Throws as reading, folds, fits and the store do.
RunCounts run_table(const ExperimentOptions& options, core::Workers& workers);

}  // namespace accrete::experiment
