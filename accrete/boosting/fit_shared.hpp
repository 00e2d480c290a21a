#pragma once
// The two ways to run the stages of fit and grow: in a single process, or on ranks that share the rows.

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/shared_table.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// Gathers from all ranks what the stages need, then runs the stages on each rank. Throws UsageError for options that
/// require a single process.
FitResult fit_shared(data::ConsumableTable source, const FitOptions& options, const Observer& observer);
FitResult grow_shared(const model::Model& model, data::ConsumableTable source, const FitOptions& options,
                      const Observer& observer);

/// Runs the stages. shared: holds the rows if `source` only describes the columns; null if `source` has all rows.
FitResult run_fit(data::ConsumableTable source, const FitOptions& options, const Observer& observer,
                  const SharedTable* shared = nullptr);
FitResult run_grow(const model::Model& model, data::ConsumableTable source, const FitOptions& options,
                   const Observer& observer, const SharedTable* shared = nullptr);

}  // namespace accrete::boosting
