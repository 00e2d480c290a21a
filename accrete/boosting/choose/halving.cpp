#include "accrete/boosting/choose/halving.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "accrete/boosting/choose/candidate_cost.hpp"
#include "accrete/boosting/choose/candidates.hpp"
#include "accrete/boosting/choose/choosing_work.hpp"
#include "accrete/boosting/choose/grow_candidates.hpp"
#include "accrete/boosting/choose/held_out.hpp"
#include "accrete/boosting/choose/network_length.hpp"
#include "accrete/boosting/choose/refinement.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/validation_metric.hpp"
#include "accrete/config/parameters.hpp"

namespace accrete::boosting {
namespace {

class SuccessiveHalving {
 public:
  explicit SuccessiveHalving(const ChoiceTask& task)
      : task_(task),
        fixed_length_(task.options.config.units.has_value()),
        plan_(search_plan(task)),
        folds_(task, plan_.max_rows, plan_.max_folds),
        cost_{.chooses_length = chooses_length(), .doublings = is_large_sample() ? doublings() : 0.0} {}

  ChosenSettings run() {
    ChosenSettings chosen{.config = task_.fit.config};
    if (folds_.size() == 0) return chosen;
    if (is_large_sample()) refinements_left_ = plan_.max_refinements;
    add_candidates(candidate_configs(task_, plan_, folds_.rows()));
    CandidateGrowth growth(
        {.outputs = task_.fit.outputs,
         .backend = task_.options.backend,
         .workers = task_.workers,
         .keep_going = task_.stops_between_steps ? std::function<bool()>() : [&] { return keep_going(); },
         // All ranks must make the same choice, bit for bit.
         .device = ranks_of(task_.options).size() == 1 ? task_.options.device : nullptr,
         .custom_loss = task_.fit.custom_loss,
         .is_out_of_time = task_.is_out_of_time,
         .min_learning_rate = comparing_rate()});
    grow_to(growth, plan_.rungs.first);
    cost_.is_weak = cost_.learns_little(left_);
    if (!growth.was_stopped() && cost_.is_weak && plan_.is_large) {
      add_candidates(heavier_binned_configs(task_, plan_, folds_.rows()));
      grow_to(growth, plan_.rungs.first);
      cost_.is_weak = cost_.learns_little(left_);
    }
    if (cost_.is_weak) refinements_left_ = 0;
    if (!growth.was_stopped() && cost_.is_weak) {
      add_candidates(heavier_configs(task_, plan_));
      grow_to(growth, plan_.rungs.first);
    }
    keep_best(std::max<std::size_t>(1, candidates_.size() / 2));
    if (!growth.was_stopped() && left_.size() > 1) grow_to(growth, plan_.rungs.second);
    keep_best(1);
    refine(growth);
    while (!growth.was_stopped() && chooses_length() && length().is_improving(best()))
      grow_to(growth, best().steps() + plan_.rungs.stride);
    chosen.was_stopped = growth.was_stopped();
    chosen.is_of_sample = is_large_sample();
    if (!best().held_out_loss.empty()) record_winner(chosen);
    return chosen;
  }

 private:
  void add_candidates(const std::vector<config::ResolvedConfig>& configs) {
    for (const config::ResolvedConfig& config : configs) {
      if (std::ranges::find(candidates_, config, &Candidate::config) != candidates_.end()) continue;
      Candidate& candidate = candidates_.emplace_back(Candidate{config, {}});
      for (const HeldOutFold& fold : folds_.encoded(config.bins)) {
        candidate.folds.push_back(&fold.rows);
        if (auto metric = held_out_metric(fold.model, *fold.rows.validation, config))
          candidate.metrics.push_back(std::move(metric));
      }
      left_.push_back(&candidate);
    }
  }

  /// Tries settings next to the best one. Where little is learnt, differences between them are noise.
  void refine(CandidateGrowth& growth) {
    std::vector<config::ResolvedConfig> tried;
    for (const Candidate& candidate : candidates_) tried.push_back(candidate.config);
    while (refinements_left_ > 0 && !growth.was_stopped()) {
      const auto next = next_refinement(best().config, tried, task_.options.config, task_.table.columns.size());
      if (!next) break;
      --refinements_left_;
      tried.push_back(next->config);
      add_candidates({next->config});
      grow_to(growth, plan_.rungs.second);
      Candidate& added = *left_.back();
      left_.pop_back();
      const double cost = cost_.cost(best());  // without handicaps: both have the same bins
      if (!growth.was_stopped() && cost_.cost(added) < cost - next->min_gain * std::abs(cost)) {
        dropped_.push_back(&best());
        left_ = {&added};
      } else {
        dropped_.push_back(&added);
      }
    }
    refinements_left_ = 0;
    std::ranges::stable_sort(dropped_, {}, [&](const Candidate* c) { return cost_.handicapped_cost(*c); });
  }

  void grow_to(CandidateGrowth& growth, std::size_t steps) {
    rung_ = std::min(steps, max_steps());
    const std::size_t units = rung_ * plan_.config.units_per_step;
    if (!task_.stops_between_steps) return growth.grow_to(left_, units);
    for (std::size_t u = plan_.config.units_per_step; u <= units && !growth.was_stopped();
         u += plan_.config.units_per_step) {
      growth.grow_to(left_, u);
      if (!keep_going()) growth.stop();
    }
  }

  bool keep_going() const { return !task_.keep_going || task_.keep_going(seconds_left(work_state())); }

  /// A network on a sample of the rows overfits sooner than one on all rows, so its length does not predict theirs.
  bool chooses_length() const { return !fixed_length_ && !is_large_sample(); }

  bool is_large_sample() const { return plan_.is_large && folds_.is_sample(); }

  /// A curve that decides the length of the network has its learning rate.
  double comparing_rate() const { return is_large_sample() ? plan_.comparing_rate : 0.0; }

  std::size_t max_units() const {
    const std::size_t units = plan_.config.units;
    return fixed_length_ ? units : std::clamp<std::size_t>(folds_.rows() / 2, units, plan_.max_growth * units);
  }

  std::size_t max_steps() const { return max_units() / plan_.config.units_per_step; }

  WorkState work_state() const {
    return {.plan = plan_,
            .left = left_,
            .candidates = candidates_.size(),
            .folds = folds_.size(),
            .outputs = task_.fit.outputs,
            .max_steps = max_steps(),
            .rung = rung_,
            .chooses_length = chooses_length(),
            .extension = final_growth_factor,
            .refinements = refinements_left_,
            .rows = task_.rows.size(),
            .threads = task_.workers.threads()};
  }

  Candidate& best() const { return *left_.front(); }

  /// From the candidates' last comparison to the network.
  double doublings() const {
    const double steps = static_cast<double>(max_steps()) / static_cast<double>(plan_.rungs.second);
    return std::max(0.0, std::log2(steps)) - std::log2(folds_.share_of_rows());
  }

  void keep_best(std::size_t count) {
    std::ranges::stable_sort(left_, {}, [&](const Candidate* candidate) { return cost_.handicapped_cost(*candidate); });
    const auto first = left_.begin() + static_cast<std::ptrdiff_t>(std::min(count, left_.size()));
    dropped_.insert(dropped_.begin(), first, left_.end());
    left_.erase(first, left_.end());
  }

  NetworkLength length() const {
    return {.is_given = fixed_length_,
            .is_chosen = chooses_length(),
            .is_weak = cost_.is_weak,
            .folds = folds_.size(),
            .patience = plan_.rungs.patience,
            .max_units = max_units()};
  }

  /// Converts a loss from training units.
  double in_target_units(double value) {
    const auto& scales = folds_.encoded(best().config.bins).front().model.target_scale;
    return scales.size() == 1 ? task_.fit.model.loss.in_target_units(value, scales[0]) : value;
  }

  void record_winner(ChosenSettings& chosen) {
    const Candidate& winner = best();
    chosen.config = winner.config;
    if (plan_.is_large && !task_.options.config.alpha) chosen.config.alpha = alpha_for_all_rows(winner);
    if (length().is_from_curve(winner)) {
      chosen.config.units = length().steps_from_curve(winner) * winner.config.units_per_step;
      chosen.config.learning_rate = std::max(chosen.config.learning_rate, comparing_rate());
    }
    // A search that was stopped has not tried enough to conclude this.
    chosen.is_constant_best = !fixed_length_ && !chosen.was_stopped && is_constant_best(winner);
    chosen.units_reason =
        chosen.is_constant_best ? "no network is better than a constant on the held-out rows" : length().reason(winner);
    for (const double value : winner.held_out_loss) chosen.held_out_loss.push_back(in_target_units(value));
    chosen.record.folds = folds_.size();
    chosen.record.held_out_rows = folds_.held_out_rows();
    for (const auto* list : {&left_, &dropped_})
      for (const Candidate* candidate : *list)
        if (std::isfinite(cost_.loss(*candidate))) chosen.record.trials.push_back(make_trial(*candidate));
    if (winner.steps() > 0) chosen.fallback = make_fallback(winner);
  }

  /// The best penalty falls with the number of rows, roughly as 1 / sqrt(rows). Weak effects are nearly linear, and
  /// their best penalty stays the same.
  double alpha_for_all_rows(const Candidate& winner) const {
    if (cost_.is_weak) return winner.config.alpha;
    return round_to_three_digits(winner.config.alpha * std::sqrt(folds_.share_of_rows()));
  }

  model::Trial make_trial(const Candidate& candidate) {
    const config::Config& given = task_.options.config;
    model::Trial trial;
    const auto add = [&](const char* name) {
      trial.parameters.emplace_back(name, get(candidate.config, config::parameter_named(name)));
    };
    if (!given.alpha) add("alpha");
    if (!given.bins) add("bins");
    if (plan_.max_refinements > 0 && !given.feature_fraction) add("feature_fraction");
    if (plan_.max_refinements > 0 && !given.max_iter) add("max_iter");
    trial.units = cost_.deciding_step(candidate) * candidate.config.units_per_step;
    trial.loss = in_target_units(cost_.loss(candidate));
    return trial;
  }

  FallbackModel make_fallback(const Candidate& winner) {
    const HeldOutFold& fold = folds_.encoded(winner.config.bins).front();
    FallbackModel result{fold.model, winner.curves.front(), std::max(winner.config.learning_rate, comparing_rate())};
    result.model.network = winner.networks.front();
    result.model.network.truncate(std::max<std::size_t>(1, winner.best_step()));
    result.model.provenance.data_fingerprint = fingerprint(fold.rows.train);
    result.model.provenance.training_rows = fold.rows.train.rows();
    return result;
  }

  const ChoiceTask& task_;
  bool fixed_length_;
  SearchPlan plan_;
  HeldOutFolds folds_;
  CandidateCost cost_;
  std::deque<Candidate> candidates_;        // a deque keeps the pointers of left_ and dropped_ valid
  std::vector<Candidate*> left_, dropped_;  ///< best first
  std::size_t rung_ = 0;                    ///< steps that candidates grow to in the current rung
  std::size_t refinements_left_ = 0;
};

}  // namespace

ChosenSettings run_successive_halving(const ChoiceTask& task) {
  return SuccessiveHalving(task).run();
}

}  // namespace accrete::boosting
