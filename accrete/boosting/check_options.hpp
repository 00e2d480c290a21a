#pragma once
// Checks a fit's options before its rows are read, because reading may take long. A fit repeats these checks.

#include <span>
#include <string>

#include "accrete/boosting/fit.hpp"

namespace accrete::boosting {

/// Throws UsageError for options that are invalid for every table: an unknown preset, a value outside its range, or
/// parameters that contradict each other for every task still possible.
void check_options(const FitOptions& options);

/// Throws UsageError if a constraint names a column that is not one of the feature columns.
void check_constrained_columns(const config::Config& given, std::span<const std::string> columns);

}  // namespace accrete::boosting
