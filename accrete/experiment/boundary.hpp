#pragma once
// The paper's figure of decision boundaries with 1, 2, 3, 4 and 100 units: prefixes of one grown network, next to a
// plain network trained for each number of units.

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/run.hpp"

namespace accrete::experiment {

inline constexpr std::string_view boundary_task = "ringnorm2d";

/// Generates its own data. Stores one result for each of the methods gbnn and adam:
///   {"limit": 5.0, "side": 80, "points": [[x1, x2, class], ...],
///    "panels": [{"units": 1, "accuracy": 0.83, "probability": [side x side, top row first]}, ...]}
RunCounts run_boundary(const ExperimentOptions& options, core::Workers& workers);

}  // namespace accrete::experiment
