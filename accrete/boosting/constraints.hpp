#pragma once
// The constraints of a fit, translated from columns to the features of an encoding.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/config/config.hpp"
#include "accrete/data/encoder.hpp"

namespace accrete::boosting {

/// Columns that a unit may read together.
struct InteractionGroup {
  std::vector<std::size_t> columns;   ///< indices among the columns that have features; ascending
  std::vector<std::size_t> features;  ///< of these columns; ascending
};

struct FeatureConstraints {
  /// Per feature 1, -1 or 0: the score never falls, never rises, or is unconstrained as the feature rises. Empty: all
  /// 0.
  std::vector<int> directions = {};
  std::vector<InteractionGroup> groups = {};  ///< empty: any columns may interact

  bool is_monotone() const { return !directions.empty(); }
};

/// The features of a number, including its ramps, never fall as the number rises, so they inherit the direction of the
/// column; a gap flag has none. For interactions, the parts of a date count as one column. Throws UsageError for an
/// unknown column and for a direction on a category or a date.
FeatureConstraints feature_constraints(const config::ResolvedConfig& config, const data::Encoder& encoder);

/// Throws a UsageError for a constraint on a column that is not among these.
[[noreturn]] void refuse_unread_column(const char* parameter, const std::string& name,
                                       std::span<const std::string> columns);

}  // namespace accrete::boosting
