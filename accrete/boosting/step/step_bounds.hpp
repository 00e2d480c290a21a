#pragma once
// The constraints of a fit as bounds on the parameters of a step.
//
// interactions   Every unit is assigned a group of columns; its weights on other columns are 0.
// monotone       Every unit has a sign, alternating +, - in network order, since a relu needs both. Its output weights
//                have that sign, and its weight on a feature has that sign times the feature's direction. So every unit
//                is monotone, and with it every prefix.

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/constraints.hpp"
#include "accrete/config/config.hpp"
#include "accrete/data/features.hpp"
#include "accrete/solver/bounded_lbfgs.hpp"

namespace accrete::boosting {

/// What a step has drawn: its features, ascending, and the group of each unit (empty: no groups).
struct StepDraw {
  std::vector<std::size_t> features = {};
  std::vector<std::size_t> unit_groups = {};
};

/// Draws from (seed, step). Units are dealt groups like cards, with one card per column of a group, so that columns get
/// equal attention; feature_fraction applies to each dealt group. constraints: null if there are none.
StepDraw draw_features(const FeatureConstraints* constraints, const config::ResolvedConfig& config, std::size_t step,
                       const data::Features& features);

/// One bound per parameter, in BlockShape order; both spans are empty if there are none.
class StepBounds {
 public:
  StepBounds() = default;
  StepBounds(const FeatureConstraints& constraints, const StepDraw& drawn, const backend::BlockShape& shape,
             std::size_t step);

  bool empty() const { return lower_.empty(); }
  solver::Bounds of_first(std::size_t n) const { return {std::span(lower_).first(n), std::span(upper_).first(n)}; }

  /// Moves initial parameters into the bounds; a weight of the wrong sign is negated, which keeps its magnitude.
  void apply_to(std::span<double> parameters) const;
  /// Zeroes the gradient of constant parameters, so that no solver moves them.
  void mask(std::span<double> gradient) const;

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  std::vector<double> lower_, upper_;
};

}  // namespace accrete::boosting
