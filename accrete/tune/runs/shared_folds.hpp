#pragma once
// The fits of a cross-validation, run by the threads of one process or shared by ranks.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/tune/cross_validation.hpp"

namespace accrete::tune {

std::string to_bytes(const FoldScore& score);

/// Throws core::Error if the bytes are not a score.
FoldScore parse_fold(std::string_view bytes);

/// Runs fit i on one thread; returns nullopt if `stop`, which it polls, returned true.
using RunFold = std::function<std::optional<FoldScore>(std::size_t i, const std::function<bool()>& stop)>;

/// The scores of `count` fits, the same on all ranks; unset for a fit that was stopped.
std::vector<std::optional<FoldScore>> run_folds(std::size_t count, const CrossValidation& how, core::Workers& workers,
                                                const RunFold& run);

}  // namespace accrete::tune
