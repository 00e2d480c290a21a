#include "accrete/boosting/choose/halving.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "accrete/boosting/choose/candidates.hpp"
#include "accrete/boosting/choose/choosing_work.hpp"
#include "accrete/boosting/choose/grow_candidates.hpp"
#include "accrete/boosting/choose/held_out.hpp"
#include "accrete/boosting/validation_metric.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {
namespace {

// Of what was learnt at all, at most this share is given up for a longer network (loss_slack).
constexpr double max_given_up = 0.1;

// A network that still improved at the last unit tried is grown this many times as long, if several folds were held
// out: growing one network of all rows is cheap compared with those.
constexpr std::size_t extension_factor = 2;

// Below this share of the constant's loss, what is learnt may be noise: heavier penalties are tried too, and the gain
// must be this many times its standard error over the folds.
constexpr double small_gain = 0.1, min_gain_errors = 1.5, weak_handicap = 0.05;

/// The loss, larger by a share of its size. Losses of counts may be negative.
double with_margin(double loss, double share) {
  return loss + share * std::abs(loss);
}

class SuccessiveHalving {
 public:
  explicit SuccessiveHalving(const ChoiceTask& task)
      : task_(task),
        fixed_length_(task.options.config.units.has_value()),
        plan_(search_plan(task)),
        folds_(task, plan_.max_rows, plan_.max_folds) {}

  ChosenSettings run() {
    ChosenSettings chosen{.config = task_.fit.config};
    if (folds_.size() == 0) return chosen;
    add_candidates(candidate_configs(task_, plan_, folds_.rows()));
    CandidateGrowth growth({.outputs = task_.fit.outputs,
                            .backend = task_.options.backend,
                            .workers = task_.workers,
                            .keep_going = [&] { return keep_going(); },
                            .device = task_.options.device,
                            .custom_loss = task_.fit.custom_loss,
                            .is_out_of_time = task_.is_out_of_time});
    grow_to(growth, plan_.rungs.first);
    is_weak_ = learns_little();
    if (!growth.was_stopped() && is_weak_) {
      add_candidates(heavier_configs(task_, plan_));
      grow_to(growth, plan_.rungs.first);
    }
    keep_best(std::max<std::size_t>(1, candidates_.size() / 2));
    if (!growth.was_stopped() && left_.size() > 1) grow_to(growth, plan_.rungs.second);
    keep_best(1);
    while (!growth.was_stopped() && chooses_length() && is_improving(best()))
      grow_to(growth, best().steps() + plan_.rungs.stride);
    chosen.was_stopped = growth.was_stopped();
    chosen.is_of_sample = plan_.is_large && folds_.is_sample();
    if (!best().held_out_loss.empty()) record_winner(chosen);
    return chosen;
  }

 private:
  void add_candidates(const std::vector<config::ResolvedConfig>& configs) {
    for (const config::ResolvedConfig& config : configs) {
      const auto is_same = [&](const Candidate& c) {
        return c.config.alpha == config.alpha && c.config.bins == config.bins;
      };
      if (std::ranges::any_of(candidates_, is_same)) continue;
      Candidate& candidate = candidates_.emplace_back(Candidate{config, {}});
      for (const HeldOutFold& fold : folds_.encoded(config.bins)) {
        candidate.folds.push_back(&fold.rows);
        if (auto metric = held_out_metric(fold.model, *fold.rows.validation, config))
          candidate.metrics.push_back(std::move(metric));
      }
      left_.push_back(&candidate);
    }
  }

  /// True if no candidate's loss is much below the constant's.
  bool learns_little() const {
    return std::ranges::all_of(left_, [&](const Candidate* candidate) {
      return !candidate->held_out_loss.empty() &&
             !(loss(*candidate) < with_margin(candidate->held_out_loss.front(), -small_gain));
    });
  }

  /// True if the winner does not beat the constant, or only within the noise between folds.
  bool is_constant_best(const Candidate& winner) const {
    const std::size_t best = winner.best_step(), folds = winner.curves.size();
    if (best == 0) return true;
    const double start = winner.held_out_loss.front(), gain = start - winner.held_out_loss[best];
    if (folds < 2 || gain >= small_gain * std::abs(start)) return false;
    double squares = 0.0;
    for (const Curves& fold : winner.curves) {
      const double difference = fold.validation.front() - fold.validation[best] - gain;
      squares += difference * difference;
    }
    return gain < min_gain_errors * std::sqrt(squares / static_cast<double>(folds * (folds - 1)));
  }

  void grow_to(CandidateGrowth& growth, std::size_t steps) {
    rung_ = std::min(steps, max_steps());
    growth.grow_to(left_, std::min(steps * plan_.config.units_per_step, max_units()));
  }

  bool keep_going() const { return !task_.keep_going || task_.keep_going(seconds_left(work_state())); }

  /// A network on a sample of the rows overfits sooner than one on all rows, so its length says nothing about theirs.
  bool chooses_length() const { return !fixed_length_ && !(plan_.is_large && folds_.is_sample()); }

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
            .extension = extension_factor,
            .rows = task_.rows.size(),
            .threads = task_.workers.threads()};
  }

  Candidate& best() const { return *left_.front(); }

  /// The step at which a candidate is judged: its best one if the length is chosen, else its last, so that overfitting
  /// counts against it.
  std::size_t deciding_step(const Candidate& candidate) const {
    return chooses_length() ? candidate.best_step() : candidate.steps();
  }

  /// Infinite if the candidate has no loss or diverged.
  double loss(const Candidate& candidate) const {
    if (candidate.held_out_loss.empty()) return std::numeric_limits<double>::infinity();
    const double value = candidate.held_out_loss[deciding_step(candidate)];
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  }

  /// The cost that compares candidates: the metric (at its best step if the length is chosen), or the loss if there is
  /// no metric or it has no value.
  double cost(const Candidate& candidate) const {
    const std::vector<double>& metric = candidate.held_out_metric;
    if (metric.empty() || !std::isfinite(loss(candidate))) return loss(candidate);
    const double value = chooses_length() ? std::ranges::min(metric) : metric.back();
    return std::isfinite(value) ? value : loss(candidate);
  }

  /// Bins gain with more rows than the sample has, so a candidate without bins must be better by loss_slack, or by
  /// max_given_up of what was learnt, per doubling of the rows. If little is learnt, a light penalty must be better by
  /// weak_handicap.
  double handicapped_cost(const Candidate& candidate) const {
    const double value = cost(candidate);
    if (is_weak_ && candidate.config.alpha < min_heavier_alpha) return with_margin(value, weak_handicap);
    if (!plan_.is_large || !folds_.is_sample() || candidate.config.bins > 0) return value;
    const double doublings = -std::log2(share_of_rows());
    double handicap = loss_slack * std::abs(value);
    if (candidate.held_out_metric.empty()) handicap = std::min(handicap, max_given_up * learnt(candidate));
    return value + doublings * handicap;
  }

  /// The drop of the loss below the constant's; at least 0.
  double learnt(const Candidate& candidate) const {
    return candidate.held_out_loss.empty() ? 0.0 : std::max(0.0, candidate.held_out_loss.front() - loss(candidate));
  }

  double share_of_rows() const { return static_cast<double>(folds_.rows()) / static_cast<double>(task_.rows.size()); }

  void keep_best(std::size_t count) {
    std::ranges::stable_sort(left_, {}, [&](const Candidate* candidate) { return handicapped_cost(*candidate); });
    const auto first = left_.begin() + static_cast<std::ptrdiff_t>(std::min(count, left_.size()));
    dropped_.insert(dropped_.begin(), first, left_.end());
    left_.erase(first, left_.end());
  }

  bool can_grow(const Candidate& candidate) const {
    return candidate.units() + candidate.config.units_per_step <= max_units();
  }

  bool is_improving(const Candidate& candidate) const {
    return can_grow(candidate) && candidate.steps() - candidate.best_step() < plan_.rungs.patience;
  }

  /// True if the held-out loss still fell when units ran out.
  bool ran_out_of_units(const Candidate& candidate) const {
    return folds_.size() > 1 && !can_grow(candidate) && is_falling(candidate.held_out_loss);
  }

  /// True if the held-out curve decides the length. It overrides the preset's length for a weak network that ends worse
  /// than the constant.
  bool takes_length_of(const Candidate& winner) const {
    if (winner.best_step() == 0 || fixed_length_) return false;
    return chooses_length() || (is_weak_ && winner.held_out_loss.back() > winner.held_out_loss.front());
  }

  /// The longest prefix within loss_slack of the best one, in steps.
  std::size_t chosen_length(const Candidate& winner) const {
    const std::vector<double>& losses = winner.held_out_loss;
    const double min_loss = losses[winner.best_step()];
    const double max_loss =
        min_loss + std::min(loss_slack * std::abs(min_loss), max_given_up * (losses.front() - min_loss));
    std::size_t last = winner.steps();
    while (!(losses[last] <= max_loss)) --last;
    return ran_out_of_units(winner) ? extension_factor * last : last;
  }

  core::Message reason_of_length(const Candidate& winner) const {
    if (fixed_length_) return {};
    if (!takes_length_of(winner)) return "from the preset, for tables of this size";
    if (ran_out_of_units(winner)) return "twice as many as were tried, because the held-out loss still fell";
    return core::message("the most with a held-out loss within {:g} % of the best", 100.0 * loss_slack);
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
    if (takes_length_of(winner)) chosen.config.units = chosen_length(winner) * winner.config.units_per_step;
    // A search that was stopped has not tried enough to conclude this.
    chosen.is_constant_best = !fixed_length_ && !chosen.was_stopped && is_constant_best(winner);
    chosen.units_reason = chosen.is_constant_best ? "no network is better than a constant on the held-out rows"
                                                  : reason_of_length(winner);
    for (const double value : winner.held_out_loss) chosen.held_out_loss.push_back(in_target_units(value));
    chosen.record.folds = folds_.size();
    chosen.record.held_out_rows = folds_.held_out_rows();
    for (const auto* list : {&left_, &dropped_})
      for (const Candidate* candidate : *list)
        if (std::isfinite(loss(*candidate))) chosen.record.trials.push_back(make_trial(*candidate));
    if (winner.steps() > 0) chosen.fallback = make_fallback(winner);
  }

  /// The best penalty falls with the number of rows, roughly as 1 / sqrt(rows). Weak effects are nearly linear, and
  /// their best penalty stays the same.
  double alpha_for_all_rows(const Candidate& winner) const {
    if (is_weak_) return winner.config.alpha;
    return std::round(winner.config.alpha * std::sqrt(share_of_rows()) * 100.0) / 100.0;
  }

  model::Trial make_trial(const Candidate& candidate) {
    const config::Config& given = task_.options.config;
    model::Trial trial;
    const auto add = [&](const char* name) {
      trial.parameters.emplace_back(name, get(candidate.config, config::parameter_named(name)));
    };
    if (!given.alpha) add("alpha");
    if (!given.bins) add("bins");
    trial.units = deciding_step(candidate) * candidate.config.units_per_step;
    trial.loss = in_target_units(loss(candidate));
    return trial;
  }

  FallbackModel make_fallback(const Candidate& winner) {
    const HeldOutFold& fold = folds_.encoded(winner.config.bins).front();
    FallbackModel result{fold.model, winner.curves.front()};
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
  std::deque<Candidate> candidates_;        // a deque keeps the pointers of left_ and dropped_ valid
  std::vector<Candidate*> left_, dropped_;  ///< best first
  bool is_weak_ = false;                    ///< no candidate learns much
  std::size_t rung_ = 0;                    ///< steps that candidates grow to in the current rung
};

}  // namespace

ChosenSettings run_successive_halving(const ChoiceTask& task) {
  return SuccessiveHalving(task).run();
}

}  // namespace accrete::boosting
