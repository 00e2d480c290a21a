#pragma once
// What the exits show about rows whose predictions by all units are known.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// Exits x rows. What a row shows at an exit is its margin, or its movement since the previous exit in tolerances.
struct ExitEvidence {
  core::Matrix<double> shown;
  /// What becomes of it: how much of the margin all units take away, or the distance of the predictions from those of
  /// all units, in tolerances.
  core::Matrix<double> change;
  core::Matrix<std::uint8_t> differs;  ///< 1: the prediction is not that of all units
  std::vector<double> tolerances;      ///< regression
};

/// The steps of the exits of a regression: a few prefixes, more of them at the beginning, where most rows stop.
std::vector<std::size_t> regression_exits(const network::Network& network);
/// The steps from which the exits of a classifier are chosen (choose_exits.hpp).
std::vector<std::size_t> exit_grid(const network::Network& network);

/// scale_rows: rows whose predictions give the default tolerance, a tenth of their standard deviation. tolerance: 0 is
/// that default.
ExitEvidence collect_evidence(const model::Model& model, const data::Table& table, std::span<const std::size_t> exits,
                              std::span<const std::size_t> scale_rows, double tolerance, core::Workers& workers);

/// The evidence of the exits with these indices.
ExitEvidence take_exits(const ExitEvidence& all, std::span<const std::size_t> exits);

}  // namespace accrete::boosting
