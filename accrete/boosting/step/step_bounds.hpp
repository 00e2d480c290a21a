#pragma once
// The constraints of a fit as bounds on the parameters of a step.
//
// interactions   Every unit has a group of columns; its weights of other columns are 0.
// monotone       Every unit has a sign: +, -, +, ... in the order of the network, since a relu needs both. Its output
//                weights have that sign, and its weight of a feature has the sign times the feature's direction. So
//                every unit, and with it every prefix, is monotone.

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

/// What a step has drawn: its features, ascending, and the group of every unit (empty: no groups).
struct StepDraw {
  std::vector<std::size_t> features = {};
  std::vector<std::size_t> unit_groups = {};
};

/// Draws from (seed, step). Groups are dealt to the units like cards, each as often as it has columns, so that columns
/// get equal attention; feature_fraction is a share of each group dealt. Null: no constraints.
StepDraw draw_features(const FeatureConstraints* constraints, const config::ResolvedConfig& config, std::size_t step,
                       const data::Features& features);

/// One bound per parameter, in the order of BlockShape; both empty if there are none.
class StepBounds {
 public:
  StepBounds() = default;
  StepBounds(const FeatureConstraints& constraints, const StepDraw& drawn, const backend::BlockShape& shape,
             std::size_t step);

  bool empty() const { return lower_.empty(); }
  solver::Bounds of_first(std::size_t n) const { return {std::span(lower_).first(n), std::span(upper_).first(n)}; }

  /// Moves initial parameters within the bounds; a wrong sign is turned, which keeps the size.
  void apply_to(std::span<double> parameters) const;
  /// Clears the gradient of constant parameters, so that any solver leaves them where they are.
  void mask(std::span<double> gradient) const;

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  std::vector<double> lower_, upper_;
};

}  // namespace accrete::boosting
