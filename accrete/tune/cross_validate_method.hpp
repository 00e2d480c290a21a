#pragma once
// Cross-validation of any method, on the folds and with the seeds of a comparison.

#include <cstdint>

#include "accrete/core/parallel.hpp"
#include "accrete/tune/cross_validation.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

/// Returns the scores that compare() gives the method. There are no training losses and no curves, and the device is
/// chosen by the method.
CrossValidationResult cross_validate(const Problem& problem, const Method& method, std::uint64_t seed,
                                     const CrossValidation& how, core::Workers& workers);

}  // namespace accrete::tune
