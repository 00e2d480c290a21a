#pragma once
// The two ways to run the verbs of a fit: in one process, or on ranks that share the rows.

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/shared_table.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// Gathers what the verbs need from all ranks and runs them on each. Throws UsageError for options that need a single
/// process.
FitResult fit_shared(data::TableSource source, const FitOptions& options, const Observer& observer);

/// Runs the verbs. shared: where the rows are, if `source` only describes the columns; null: `source` has all rows.
FitResult fit_plain(data::TableSource source, const FitOptions& options, const Observer& observer,
                    const SharedTable* shared = nullptr);

}  // namespace accrete::boosting
