#include "accrete/boosting/choose/choosing_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/backend/resident_rows.hpp"

namespace accrete::boosting {
namespace {

/// Relative cost of a step on the training rows of a fold, for candidates without a measured step.
double work_of_step(const EncodedSplit& fold, std::size_t outputs) {
  // Cost per row, relative to one dense feature.
  constexpr double lookup = 8.0, output = 16.0;
  const data::Features& x = fold.train.features;
  const auto rows = static_cast<double>(x.rows());
  const double numbers =
      x.has_wide_columns() ? rows * lookup * static_cast<double>(x.groups()) : static_cast<double>(x.numbers());
  return rows * output * static_cast<double>(outputs) + numbers;
}

class Estimate {
 public:
  explicit Estimate(const WorkState& state) : state_(state) {
    for (const Candidate* candidate : state.left) {
      seconds_ += candidate->times->seconds;
      work_ += static_cast<double>(candidate->times->steps) * work_of_step(*candidate->folds.front(), state.outputs);
    }
  }

  double seconds_left() const {
    if (!(work_ > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    return (in_rung() + after_rung()) / lanes(growing()) + fit();
  }

 private:
  /// Seconds per step on one fold.
  double step_seconds(const Candidate& candidate) const {
    constexpr std::size_t enough = 4;
    const StepTimes& times = *candidate.times;
    if (times.steps >= enough) return times.seconds / static_cast<double>(times.steps);
    return work_of_step(*candidate.folds.front(), state_.outputs) * seconds_ / work_;
  }

  double mean_step_seconds() const {
    double sum = 0.0;
    for (const Candidate* candidate : state_.left) sum += step_seconds(*candidate);
    return sum / static_cast<double>(state_.left.size());
  }

  /// Candidates that grow in the current rung; all, if none does.
  std::size_t growing() const {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        state_.left, [&](const Candidate* candidate) { return candidate->steps() < state_.rung; }));
    return count > 0 ? count : state_.left.size();
  }

  /// Speed-up of running the fits of these candidates concurrently, one thread each: 5 / 3 for five fits on two
  /// threads, because the last one runs alone.
  double lanes(std::size_t candidates) const {
    const std::size_t fits = candidates * state_.folds, rounds = (fits + state_.threads - 1) / state_.threads;
    const auto is_small = [](const Candidate* candidate) { return is_one_per_thread(*candidate->folds.front()); };
    if (fits < state_.threads || !std::ranges::all_of(state_.left, is_small)) return 1.0;
    return static_cast<double>(fits) / static_cast<double>(rounds);
  }

  double in_rung() const {
    double sum = 0.0;
    for (const Candidate* candidate : state_.left) {
      const std::size_t all = state_.folds * state_.rung;
      sum += static_cast<double>(all - std::min<std::size_t>(all, candidate->times->steps)) * step_seconds(*candidate);
    }
    return sum;
  }

  double second_rung() const {
    return static_cast<double>(std::max(state_.rung, std::min(state_.plan.rungs.second, state_.max_steps)));
  }

  /// Expected steps of the best candidate when it is chosen. Most networks either use all units or stop early; the
  /// longer the best candidate has not improved, the shorter the estimate.
  double expected_length() const {
    const double second = second_rung(), max = static_cast<double>(state_.max_steps);
    if (!state_.chooses_length) return second;
    if (state_.left.size() > 1) return between(second, max, 0.5);
    const Candidate& best = *state_.left.front();
    const auto patience = static_cast<double>(state_.plan.rungs.patience);
    const auto steps = static_cast<double>(best.steps()), best_step = static_cast<double>(best.best_step());
    const double improving = 1.0 - std::clamp((steps - best_step) / patience, 0.0, 1.0);
    return between(std::clamp(best_step + patience, steps, max), max, improving * improving);
  }

  /// Interpolates in the logarithm from low (share 0) to high (share 1).
  static double between(double low, double high, double share) {
    return low < high ? low * std::pow(high / low, share) : low;
  }

  /// Expected ratio of the final network's length to the candidate's.
  double extension() const {
    constexpr double usual = 1.4;
    if (state_.folds < 2 || expected_length() < 0.9 * static_cast<double>(state_.max_steps)) return 1.0;
    if (state_.left.size() > 1) return usual;
    return is_falling(state_.left.front()->held_out_loss) ? static_cast<double>(state_.extension) : 1.0;
  }

  double after_rung() const {
    const bool is_first = state_.left.size() == state_.candidates && state_.left.size() > 1;
    const std::size_t kept = state_.candidates / 2;
    const double second = second_rung();
    const double halved = is_first ? static_cast<double>(kept) * (second - static_cast<double>(state_.rung)) : 0.0;
    const double refined = static_cast<double>(state_.refinements) * second;
    const double steps = halved + refined + std::max(0.0, expected_length() - second);
    return static_cast<double>(state_.folds) * mean_step_seconds() * steps;
  }

  /// Steps of the final fit. The best step is up to `patience` steps before the candidate's last one; assumes half of
  /// that.
  double fit_steps() const {
    const SearchPlan& plan = state_.plan;
    const std::size_t steps = plan.config.units / plan.config.units_per_step;
    if (!state_.chooses_length) return static_cast<double>(steps);
    const double length = expected_length();
    const double waited =
        length < static_cast<double>(state_.max_steps) ? static_cast<double>(plan.rungs.patience) : 0.0;
    return std::max(length - 0.5 * waited, 1.0) * extension();
  }

  double fit() const {
    const auto rows = static_cast<double>(state_.rows), threads = static_cast<double>(state_.threads);
    const auto fold_rows = static_cast<double>(state_.left.front()->folds.front()->train.rows());
    // One small fit cannot use all threads.
    const double busy = std::clamp(2.0 * rows / static_cast<double>(backend::chunk_rows), 1.0, threads);
    const double speedup = lanes(state_.left.size()) > 1.0 ? busy : 1.0;
    return fit_steps() * mean_step_seconds() * rows / fold_rows / speedup;
  }

  const WorkState& state_;
  double seconds_ = 0.0, work_ = 0.0;  ///< totals over all steps of the remaining candidates
};

}  // namespace

bool is_falling(std::span<const double> losses) {
  if (losses.size() < 2) return false;
  const std::size_t steps = losses.size() - 1;
  const double before = losses[steps - steps / 3];
  return losses.back() < before - loss_slack * std::abs(before);
}

double seconds_left(const WorkState& state) {
  return Estimate(state).seconds_left();
}

}  // namespace accrete::boosting
