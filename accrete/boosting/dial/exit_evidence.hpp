#pragma once
// What is known about each row at each exit, and how the row's prediction changes after it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// Matrices are exits x rows. `exit_signal` is what decides whether a row stops at an exit: its margin (classes), or
/// its movement since the previous exit, in tolerances (regression).
struct ExitEvidence {
  core::Matrix<double> exit_signal;
  /// How it changes after the exit: the margin lost by the end of the network, or the distance to the final prediction
  /// in tolerances.
  core::Matrix<double> change;
  core::Matrix<std::uint8_t> differs;  ///< 1: the prediction differs from that of all units
  std::vector<double> tolerances;      ///< regression only
};

/// The steps of a regression's exits: a few prefixes, denser at the beginning, where most rows stop.
std::vector<std::size_t> regression_exits(const network::Network& network);
/// The candidate exits of a classifier, in steps (choose_exits.hpp).
std::vector<std::size_t> exit_grid(const network::Network& network);

/// tolerance: 0 for the default, a tenth of the standard deviation of the predictions for `scale_rows`.
ExitEvidence collect_evidence(const model::Model& model, const data::Table& table, std::span<const std::size_t> exits,
                              std::span<const std::size_t> scale_rows, double tolerance, core::Workers& workers);

/// The subset of the evidence at these exits.
ExitEvidence take_exits(const ExitEvidence& all, std::span<const std::size_t> exits);

}  // namespace accrete::boosting
