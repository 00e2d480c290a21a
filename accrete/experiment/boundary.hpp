#pragma once
// The paper's figure of boundaries: what a network looks like with 1, 2, 3, 4 and 100 units, grown as one, and trained
// anew for each number.

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/run.hpp"

namespace accrete::experiment {

inline constexpr std::string_view boundary_task = "ringnorm2d";

/// Makes its own data. One result for each of the methods gbnn and adam:
///   {"limit": 5.0, "side": 80, "points": [[x1, x2, class], ...],
///    "panels": [{"units": 1, "accuracy": 0.83, "probability": [side x side, the top row first]}, ...]}
RunCounts run_boundary(const RunOptions& options, core::Workers& workers);

}  // namespace accrete::experiment
