#pragma once
// What a user should hear about a fit, in a line each: of its settings and data before it, of its outcome after it.

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/load.hpp"

namespace accrete::boosting {

void note_units_left_out(Prepared& p);

/// Of a regression: which targets are constant in the rows to train on, and whether all are.
void find_constants(Prepared& p, const Rows& rows, const FitOptions& options);

void note_no_descent(FitResult& result);

}  // namespace accrete::boosting
