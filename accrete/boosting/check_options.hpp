#pragma once
// Checks of a fit's options before its rows are read, which may take long. A fit checks the same again.

#include <span>
#include <string>

#include "accrete/boosting/fit.hpp"

namespace accrete::boosting {

/// Throws UsageError for options that no table could be fitted with: an unknown preset, a value outside its range, or
/// parameters that contradict each other for every task that they leave possible.
void check_options(const FitOptions& options);

/// Throws UsageError if a constraint names none of the columns to predict from.
void check_constrained_columns(const config::Config& given, std::span<const std::string> columns);

}  // namespace accrete::boosting
