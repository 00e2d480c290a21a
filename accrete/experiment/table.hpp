#pragma once
// The paper's table: each method on each task, its settings chosen inside every training part, scored on the rows that
// were left out.

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/run.hpp"

namespace accrete::experiment {

/// Cells are kept as they are done (experiment/outcome.hpp). Data of all tasks is read before the first fit, so that
/// what is wrong with any is said at once. Throws as reading, folds, fits and the store do.
RunCounts run_table(const RunOptions& options, core::Workers& workers);

}  // namespace accrete::experiment
