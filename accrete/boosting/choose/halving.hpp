#pragma once
// Successive halving: all candidates grow to the first rung, the better half to the second, the best one as long as it
// improves on the held-out rows.

#include "accrete/boosting/choose.hpp"

namespace accrete::boosting {

/// The config is the task's own if there are too few rows to hold any out.
ChosenSettings run_successive_halving(const ChoiceTask& task);

}  // namespace accrete::boosting
