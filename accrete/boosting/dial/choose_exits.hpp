#pragma once
// Which exits of a fine grid pay: each one saves units for the rows that stop there, and costs time for the others.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/boosting/dial/exit_evidence.hpp"

namespace accrete::boosting {

/// Indices of the chosen exits, ascending; none if no exit pays. Only the rows `learning` are looked at; units has the
/// units after each exit, then all. Thresholds are those that let about `disagreement` of these rows differ.
std::vector<std::size_t> choose_exits(const ExitEvidence& evidence, std::span<const std::size_t> learning,
                                      std::span<const std::size_t> units, double disagreement);

}  // namespace accrete::boosting
