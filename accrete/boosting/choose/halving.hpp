#pragma once
// Successive halving: all candidates grow to the first rung, the better half to the second, and the best one for as
// long as it improves on the held-out rows.

#include "accrete/boosting/choose.hpp"

namespace accrete::boosting {

/// Returns the task's own config if there are too few rows to hold any out.
ChosenSettings run_successive_halving(const ChoiceTask& task);

}  // namespace accrete::boosting
