#pragma once
// Fifth verb of a fit: run the loop on the encoded rows and put the model together.

#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/deadline.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/core/parallel.hpp"

namespace accrete::boosting {

/// Trains fit.model.network to its units.
FitResult train_model(PreparedFit& fit, const FitOptions& options, core::Workers& workers, const Deadline& deadline,
                      const Observer& observer);

/// The model that choosing produced, as the result of a fit that ended before all rows were fitted.
FitResult fallback_result(const PreparedFit& fit, const ChosenSettings& chosen, Stop stop);

/// True if the held-out rows expect more of the fallback than of a result cut short by the time limit.
bool is_fallback_better(const ChosenSettings& chosen, const FitResult& result);

}  // namespace accrete::boosting
