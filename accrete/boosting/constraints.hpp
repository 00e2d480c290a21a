#pragma once
// What the constraints of a fit say about the features of an encoding.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/config/config.hpp"
#include "accrete/data/encoder.hpp"

namespace accrete::boosting {

/// Columns that a unit may read together.
struct InteractionGroup {
  std::vector<std::size_t> columns;   ///< counted among those that have features; ascending
  std::vector<std::size_t> features;  ///< of these columns; ascending
};

struct FeatureConstraints {
  /// Per feature 1, -1 or 0: the score never falls, never rises or may do both as the feature rises. Empty: all 0.
  std::vector<int> directions = {};
  std::vector<InteractionGroup> groups = {};  ///< empty: any columns may act together

  bool is_monotone() const { return !directions.empty(); }
};

/// The features of a number, its ramps too, never fall as the number rises, so each has the direction of its column; a
/// gap flag has none. The parts of a date are one column where interactions are concerned. Throws UsageError for a name
/// that is not an input's, and for a direction of a category or a date.
FeatureConstraints feature_constraints(const config::ResolvedConfig& config, const data::Encoder& encoder);

/// Throws the UsageError for a constraint on a column that is not one of these.
[[noreturn]] void refuse_unread_column(const char* parameter, const std::string& name,
                                       std::span<const std::string> columns);

}  // namespace accrete::boosting
