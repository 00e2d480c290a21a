#pragma once
// Chooses exits from a fine grid: each exit saves units for the rows that stop there and costs time for the others.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/boosting/dial/exit_evidence.hpp"

namespace accrete::boosting {

/// Returns indices of the chosen exits, ascending; empty if no exit pays. Reads only the rows `learning`. units: units
/// after each exit, then of the whole network. The thresholds let a share of about `disagreement` of these rows differ.
std::vector<std::size_t> choose_exits(const ExitEvidence& evidence, std::span<const std::size_t> learning,
                                      std::span<const std::size_t> units, double disagreement);

}  // namespace accrete::boosting
