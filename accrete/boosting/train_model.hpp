#pragma once
// Fifth stage of a fit: runs the loop on the encoded rows and assembles the model.

#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/deadline.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/core/parallel.hpp"

namespace accrete::boosting {

/// Trains fit.model.network up to config.units.
FitResult train_model(PreparedFit& fit, const FitOptions& options, core::Workers& workers, const Deadline& deadline,
                      const Observer& observer);

/// Returns the fallback model as the result of a fit that was stopped or ran out of time.
FitResult fallback_result(const PreparedFit& fit, const ChosenSettings& chosen, Stop stop);

/// True if held-out rows suggest that the fallback beats a result cut short by the time limit.
bool is_fallback_better(const ChosenSettings& chosen, const FitResult& result);

}  // namespace accrete::boosting
