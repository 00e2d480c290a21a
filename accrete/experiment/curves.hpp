#pragma once
// The paper's figure of accuracy and RMSE against units: one network that grows, scored at each of its prefixes, next
// to a separate network for every number of units.

#include <array>

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/run.hpp"

namespace accrete::experiment {

inline constexpr std::array<std::string_view, 3> curve_tasks{"spambase", "tic-tac-toe", "energy_heating"};
inline constexpr std::array<std::string_view, 3> curve_methods{"gbnn", "adam", "deep"};

/// Ten folds, with the paper's settings for each task. Stores one result for each task and method:
///   {"metric": "accuracy", "folds": 10, "settings": {...}, "units": [3, 6, ...], "mean": [...], "se": [...]}
/// Throws as run_table does.
RunCounts run_curves(const ExperimentOptions& options, core::Workers& workers);

}  // namespace accrete::experiment
