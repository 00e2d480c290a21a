#include "accrete/boosting/choose/network_length.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accrete/boosting/choose/choosing_work.hpp"
#include "accrete/boosting/choose/search_plan.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {

bool NetworkLength::can_grow(const Candidate& candidate) const {
  return candidate.units() + candidate.config.units_per_step <= max_units;
}

/// True if the held-out loss still fell when units ran out.
bool NetworkLength::ran_out_of_units(const Candidate& candidate) const {
  return folds > 1 && !can_grow(candidate) && is_falling(candidate.held_out_loss);
}

bool NetworkLength::is_improving(const Candidate& candidate) const {
  return can_grow(candidate) && candidate.steps() - candidate.best_step() < patience;
}

bool NetworkLength::is_from_curve(const Candidate& winner) const {
  if (winner.best_step() == 0 || is_given) return false;
  return is_chosen || (is_weak && winner.held_out_loss.back() > winner.held_out_loss.front());
}

std::size_t NetworkLength::steps_from_curve(const Candidate& winner) const {
  const std::vector<double>& losses = winner.held_out_loss;
  const double min_loss = losses[winner.best_step()];
  const double max_loss =
      min_loss + std::min(loss_slack * std::abs(min_loss), max_given_up * (losses.front() - min_loss));
  std::size_t last = winner.steps();
  while (!(losses[last] <= max_loss)) --last;
  return ran_out_of_units(winner) ? final_growth_factor * last : last;
}

core::Message NetworkLength::reason(const Candidate& winner) const {
  if (is_given) return {};
  if (!is_from_curve(winner)) return "from the preset, for tables of this size";
  if (ran_out_of_units(winner)) return "twice as many as were tried, because the held-out loss still fell";
  return core::message("the largest number with a held-out loss within {:g} % of the best", 100.0 * loss_slack);
}

}  // namespace accrete::boosting
