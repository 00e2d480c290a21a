#pragma once
// The target in training units.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "accrete/config/config.hpp"
#include "accrete/core/matrix.hpp"

namespace accrete::boosting {

/// Targets, weights and offsets of a table, one entry per row.
struct TableTargets {
  const core::Matrix<double>& targets;
  std::span<const double> weights;
  std::span<const double> offsets = {};  ///< empty: none
};

/// prediction = shift + scale * score, per target.
struct TargetScale {
  std::vector<double> shift, scale;
};

/// Weighted, over the listed rows. The shift is the mean even if the target is not standardised: a large offset would
/// use up the precision of float scores, and otherwise losses that have a scale do not depend on the shift.
TargetScale target_scale(const TableTargets& data, std::span<const std::size_t> rows,
                         const config::ResolvedConfig& config);

/// The value of a target column that is constant over the listed rows; unset if it varies or there are no rows.
std::optional<double> constant_value(const core::Matrix<double>& targets, std::size_t column,
                                     std::span<const std::size_t> rows);

}  // namespace accrete::boosting
