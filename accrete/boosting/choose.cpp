#include "accrete/boosting/choose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "accrete/boosting/held_out.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/boosting/race.hpp"

namespace accrete::boosting {
namespace {

/// In units: where the worse half of the settings drops out, where all but the best, how far the best goes at a time,
/// and how far it may go without getting better. Blocks of many units get a few steps each all the same.
struct Rungs {
  std::size_t first, second, stride, patience;
};
Rungs rungs_for(std::size_t units_per_step) {
  const auto at_least = [=](std::size_t units, std::size_t steps) { return std::max(units, steps * units_per_step); };
  return {at_least(96, 4), at_least(288, 8), at_least(96, 2), at_least(192, 3)};
}

// Of the features a step looks at, where numbers come in bins: each step has many to choose from then, unless they are
// of one or two columns.
constexpr double binned_fraction = 0.5;
constexpr std::size_t few_columns = 2;

// Of the lengths whose loss is this close to the least, as a share of it, the longest is taken. So small a difference
// is less than the rows held out can tell; errors still become fewer there, and a network whose last units are switched
// off has more left. Where little was learnt at all, no more than a part of that is given up for it.
constexpr double as_good = 0.02, given_up = 0.1;

// So many times as long as what was tried is a network that was still getting better at the end of it, where several
// parts were held out: growing on with one network of all rows costs little beside those.
constexpr std::size_t longer = 2;

constexpr std::size_t most_encoded = 100'000'000;  // numbers in rows; bins that would make more are left out

constexpr std::string_view chosen_names[] = {"alpha",   "bins", "units", "units_per_step", "feature_fraction",
                                             "max_iter"};

struct Candidate {
  double alpha;
  std::uint64_t bins;
  bool operator==(const Candidate&) const = default;
};

constexpr std::uint64_t fine_bins = 128, fine_iterations = 40;  // more of these brought nothing there

constexpr Candidate for_classes[] = {{0.1, 0}, {1.0, 0}, {1.0, 8}, {10.0, 8}};
constexpr Candidate for_regression[] = {{0.1, 0}, {1.0, 0}, {0.1, 8}, {1.0, 8}, {10.0, 8}};
constexpr Candidate for_large_regression[] = {{0.1, 0}, {0.1, 8}, {1.0, 8}, {0.3, fine_bins}};
constexpr std::size_t large = 4000;  // rows that fill so many bins

constexpr std::uint64_t small_steps = 2;  // units of a step with fewer rows: more steps, for as many units

/// Light and heavy penalties; numbers as they are and in bins, finer ones where there are rows to fill them.
std::vector<Candidate> candidates(const ChoiceTask& task, std::size_t rows) {
  const std::span<const Candidate> all = !task.base.classes.empty() ? std::span<const Candidate>(for_classes)
                                         : rows < large             ? std::span<const Candidate>(for_regression)
                                                                    : for_large_regression;
  std::vector<Candidate> kept;
  const bool alpha_given = is_given(task.given, "alpha"), bins_given = is_given(task.given, "bins");
  for (Candidate c : all) {
    if (alpha_given) c.alpha = task.config.alpha;
    if (bins_given) c.bins = task.config.bins;
    const bool worth = rows >= 2 * task.columns.size() && rows * task.columns.size() * (1 + c.bins) <= most_encoded;
    if (!bins_given && c.bins > 0 && !worth) continue;
    if (std::ranges::find(kept, c) == kept.end()) kept.push_back(c);
  }
  return kept;
}

class Choosing {
 public:
  explicit Choosing(const ChoiceTask& task)
      : task_(task),
        fixed_length_(is_given(task.given, "units")),
        rungs_(rungs_for(task.config.units_per_step)),
        held_out_(task) {}

  Chosen run() {
    Chosen chosen{task_.config, {}, {}, {}, false};
    if (held_out_.parts() == 0) return chosen;
    line_up();
    Race race({task_.outputs, task_.backend, task_.workers,
               [&](std::size_t done) { return !task_.go_on || task_.go_on(done, std::max(done, planned_steps())); },
               task_.machine});
    race.advance(left_, std::min(rungs_.first, most_units()));
    keep(std::max<std::size_t>(1, runners_.size() / 2));
    if (!race.ended() && left_.size() > 1) race.advance(left_, std::min(rungs_.second, most_units()));
    keep(1);
    while (!race.ended() && !fixed_length_ && improves(best()))
      race.advance(left_, std::min(units(best()) + rungs_.stride, most_units()));
    chosen.ended = race.ended();
    settle(chosen);
    return chosen;
  }

 private:
  void line_up() {
    for (const Candidate& c : candidates(task_, held_out_.rows())) {
      Runner& runner = runners_.emplace_back(Runner{task_.config, {}});
      apply(c, runner.config);
      for (const Part& part : held_out_.encoded(c.bins)) runner.parts.push_back(&part.rows);
    }
    for (Runner& runner : runners_) left_.push_back(&runner);
  }

  void apply(const Candidate& c, Config& config) const {
    config.alpha = c.alpha;
    config.bins = c.bins;
    if (held_out_.rows() < large && !is_given(task_.given, "units_per_step"))
      config.units_per_step = std::min(config.units_per_step, small_steps);
    if (c.bins > 0 && !task_.base.classes.empty() && task_.columns.size() > few_columns &&
        !is_given(task_.given, "feature_fraction"))
      config.feature_fraction *= binned_fraction;
    if (c.bins == fine_bins && !is_given(task_.given, "max_iter")) config.max_iter = fine_iterations;
  }

  std::size_t most_units() const {
    if (fixed_length_) return task_.config.units;
    return std::clamp<std::size_t>(held_out_.rows() / 2, task_.config.units, 5 * task_.config.units);
  }

  /// About how many steps all of it takes.
  std::size_t planned_steps() const {
    const std::size_t first = std::min(rungs_.first, most_units()), second = std::min(rungs_.second, most_units());
    const std::size_t last = fixed_length_ ? second : std::max<std::size_t>(second, task_.config.units);
    const std::size_t units = runners_.size() * first + runners_.size() / 2 * (second - first) + (last - second);
    return held_out_.parts() * units / runners_.front().config.units_per_step;
  }

  static std::size_t units(const Runner& runner) { return runner.steps() * runner.config.units_per_step; }
  Runner& best() const { return *left_.front(); }

  std::size_t deciding_step(const Runner& runner) const { return fixed_length_ ? runner.steps() : runner.best_step(); }

  double loss(const Runner& runner) const {
    if (runner.held_out.empty()) return std::numeric_limits<double>::infinity();
    const double value = runner.held_out[deciding_step(runner)];
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  }

  void keep(std::size_t count) {
    std::ranges::stable_sort(left_, {}, [&](const Runner* runner) { return loss(*runner); });
    const auto first = left_.begin() + static_cast<std::ptrdiff_t>(std::min(count, left_.size()));
    dropped_.insert(dropped_.begin(), first, left_.end());
    left_.erase(first, left_.end());
  }

  bool improves(const Runner& runner) const {
    if (units(runner) + runner.config.units_per_step > most_units()) return false;
    return (runner.steps() - runner.best_step()) * runner.config.units_per_step < rungs_.patience;
  }

  /// In steps.
  std::size_t length(const Runner& winner) const {
    const std::vector<double>& losses = winner.held_out;
    const double least = losses[winner.best_step()];
    const double most = least + std::min(as_good * std::abs(least), given_up * (losses.front() - least));
    std::size_t last = winner.steps();
    while (!(losses[last] <= most)) --last;
    return ran_out(winner) ? longer * last : last;
  }

  /// Whether the rows held out were still getting better when units ended.
  bool ran_out(const Runner& runner) const {
    const std::vector<double>& losses = runner.held_out;
    const double before = losses[runner.steps() - runner.steps() / 3];
    return held_out_.parts() > 1 && units(runner) + runner.config.units_per_step > most_units() &&
           losses.back() < before - as_good * std::abs(before);
  }

  void settle(Chosen& chosen) {
    const Runner& winner = best();
    if (winner.held_out.empty()) return;
    const Part& part = held_out_.encoded(winner.config.bins).front();
    const auto& scales = part.model.target_scale;
    const auto in_target_units = [&](double value) {
      return scales.size() == 1 ? task_.base.loss.in_target_units(value, scales[0]) : value;
    };
    chosen.config = winner.config;
    if (!fixed_length_ && winner.best_step() > 0) chosen.config.units = length(winner) * winner.config.units_per_step;
    for (const double value : winner.held_out) chosen.held_out.push_back(in_target_units(value));
    chosen.record.parts = held_out_.parts();
    chosen.record.held_out_rows = held_out_.held_out_rows();
    left_.insert(left_.end(), dropped_.begin(), dropped_.end());
    for (const Runner* runner : left_) {
      if (!std::isfinite(loss(*runner))) continue;
      model::Trial trial;
      for (const char* name : {"alpha", "bins"})
        if (!is_given(task_.given, name))
          trial.parameters.emplace_back(name, get(runner->config, parameter_named(name)));
      trial.units = deciding_step(*runner) * runner->config.units_per_step;
      trial.loss = in_target_units(loss(*runner));
      chosen.record.trials.push_back(std::move(trial));
    }
    if (winner.steps() > 0) chosen.stopgap = stopgap(winner, part);
  }

  static Stopgap stopgap(const Runner& winner, const Part& part) {
    Stopgap result{part.model, winner.curves.front()};
    result.model.network = winner.networks.front();
    result.model.network.truncate(std::max<std::size_t>(1, winner.best_step()));
    result.model.provenance.data_fingerprint = fingerprint(part.rows.train);
    result.model.provenance.training_rows = part.rows.train.rows();
    return result;
  }

  const ChoiceTask& task_;
  bool fixed_length_;
  Rungs rungs_;
  HeldOut held_out_;
  std::vector<Runner> runners_;
  std::vector<Runner*> left_, dropped_;  ///< best first
};

}  // namespace

bool has_choice(const Config& config, std::span<const Setting> given, std::size_t rows) {
  const bool all = is_given(given, "alpha") && is_given(given, "bins") && is_given(given, "units");
  return config.automatic && !all && rows >= least_rows_to_choose;
}

void take_chosen(Config& config, const model::Provenance& made, std::span<const Setting> given) {
  for (const auto& [name, text] : made.parameters)
    if (std::ranges::find(chosen_names, name) != std::end(chosen_names) && !is_given(given, name))
      set(config, parameter_named(name), text);
}

Chosen choose(const ChoiceTask& task) {
  return Choosing(task).run();
}

}  // namespace accrete::boosting
