#include "accrete/boosting/step/step_bounds.hpp"

#include <algorithm>

#include "accrete/config/draw_size.hpp"
#include "accrete/core/random.hpp"

namespace accrete::boosting {
namespace {

/// Deals groups to the units of the network in order, units_per_step per step, from one shuffled deck after the other.
std::vector<std::size_t> deal_groups(const std::vector<InteractionGroup>& groups, const config::ResolvedConfig& config,
                                     std::size_t step) {
  std::vector<std::size_t> cards, deck, dealt;
  for (std::size_t g = 0; g < groups.size(); ++g) cards.insert(cards.end(), groups[g].columns.size(), g);
  for (std::size_t j = 0; j < config.units_per_step; ++j) {
    const std::size_t unit = step * config.units_per_step + j, place = unit % cards.size();
    if (j == 0 || place == 0) {
      deck = cards;
      core::Rng(config.seed, unit / cards.size(), core::Purpose::groups).shuffle(std::span(deck));
    }
    dealt.push_back(deck[place]);
  }
  return dealt;
}

void sort_distinct(std::vector<std::size_t>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

StepDraw draw_features(const FeatureConstraints* constraints, const config::ResolvedConfig& config, std::size_t step,
                       const data::Features& features) {
  core::Rng rng(config.seed, step, core::Purpose::features);
  if (!constraints || constraints->groups.empty()) {
    const std::size_t all = features.groups();
    return {features.features_of(rng.choose(all, config::features_per_step(config, all)))};
  }
  StepDraw draw{.unit_groups = deal_groups(constraints->groups, config, step)};
  std::vector<std::size_t> dealt = draw.unit_groups, drawn;
  sort_distinct(dealt);
  for (const std::size_t g : dealt) {
    const InteractionGroup& group = constraints->groups[g];
    const std::vector<std::size_t>& from = features.has_wide_columns() ? group.columns : group.features;
    for (const std::size_t i : rng.choose(from.size(), config::features_per_step(config, from.size())))
      drawn.push_back(from[i]);
  }
  sort_distinct(drawn);
  draw.features = features.features_of(drawn);
  return draw;
}

StepBounds::StepBounds(const FeatureConstraints& constraints, const StepDraw& drawn, const backend::BlockShape& shape,
                       std::size_t step) {
  lower_.assign(shape.size(), -infinite);
  upper_.assign(shape.size(), infinite);
  const auto bound_sign = [&](std::size_t at, int sign) { (sign > 0 ? lower_ : upper_)[at] = 0.0; };
  for (std::size_t j = 0; j < shape.units; ++j) {
    const int sign = (step * shape.units + j) % 2 == 0 ? 1 : -1;
    for (std::size_t i = 0; i < shape.features; ++i) {
      const std::size_t feature = drawn.features[i], at = j * shape.features + i;
      const int direction = constraints.is_monotone() ? constraints.directions[feature] : 0;
      if (direction != 0) bound_sign(at, sign * direction);
      if (drawn.unit_groups.empty()) continue;
      if (!std::ranges::binary_search(constraints.groups[drawn.unit_groups[j]].features, feature))
        lower_[at] = upper_[at] = 0.0;
    }
    for (std::size_t k = 0; constraints.is_monotone() && k < shape.outputs; ++k)
      bound_sign(shape.output_weights_at() + j * shape.outputs + k, sign);
  }
}

void StepBounds::apply_to(std::span<double> parameters) const {
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    const double x = parameters[i], within = std::clamp(x, lower_[i], upper_[i]);
    parameters[i] = x == within ? x : std::clamp(-x, lower_[i], upper_[i]);
  }
}

void StepBounds::mask(std::span<double> gradient) const {
  for (std::size_t i = 0; i < gradient.size() && !empty(); ++i)
    if (lower_[i] == upper_[i]) gradient[i] = 0.0;
}

}  // namespace accrete::boosting
