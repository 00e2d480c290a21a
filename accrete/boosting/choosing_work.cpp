#include "accrete/boosting/choosing_work.hpp"

#include <algorithm>
#include <cmath>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/boosting/time_left.hpp"

namespace accrete::boosting {
namespace {

/// Of a step on one fold, the mean over the candidates that are left.
double mean_work(const WorkState& state) {
  double sum = 0.0;
  for (const Candidate* candidate : state.left) sum += work_of_step(*candidate->folds.front(), state.outputs);
  return sum / static_cast<double>(state.left.size());
}

double second_rung(const WorkState& state) {
  return static_cast<double>(std::max(state.rung, std::min(state.plan.rungs.second, state.max_steps)));
}

/// The steps the best candidate is expected to have in the end.
double expected_length(const WorkState& state) {
  const double second = second_rung(state);
  if (!state.chooses_length) return second;
  if (state.left.size() > 1) return std::sqrt(second * static_cast<double>(state.max_steps));
  const Candidate& best = *state.left.front();
  return expected_steps(best.steps(), best.best_step(), state.plan.rungs.patience, state.max_steps);
}

/// Folds that run side by side keep every thread busy, which one small fit does not.
double work_of_fit(const WorkState& state) {
  const EncodedSplit& fold = *state.left.front()->folds.front();
  const auto rows = static_cast<double>(state.rows), threads = static_cast<double>(state.threads);
  // The chosen length is somewhere in the steps that were waited for.
  const std::size_t given_steps = state.plan.config.units / state.plan.config.units_per_step;
  const double steps =
      state.chooses_length
          ? std::max(expected_length(state) - 0.5 * static_cast<double>(state.plan.rungs.patience), 1.0)
          : static_cast<double>(given_steps);
  const double busy = std::clamp(2.0 * rows / static_cast<double>(backend::chunk_rows), 1.0, threads);
  return steps * mean_work(state) * rows / static_cast<double>(fold.train.rows()) *
         (is_one_per_thread(fold) ? threads / busy : 1.0);
}

}  // namespace

double work_of_step(const EncodedSplit& fold, std::size_t outputs) {
  // A lookup costs a row as much as this many features, and so does an output.
  constexpr double lookup = 8.0, output = 16.0;
  const data::Features& x = fold.train.features;
  const auto rows = static_cast<double>(x.rows());
  const double numbers =
      x.has_wide_columns() ? rows * lookup * static_cast<double>(x.groups()) : static_cast<double>(x.numbers());
  return rows * output * static_cast<double>(outputs) + numbers;
}

double work_after_rung(const WorkState& state) {
  const double second = second_rung(state);
  const bool is_first = state.left.size() == state.candidates && state.left.size() > 1;
  const std::size_t kept = state.candidates / 2;
  const double halved = is_first ? static_cast<double>(kept) * (second - static_cast<double>(state.rung)) : 0.0;
  const double steps = halved + std::max(0.0, expected_length(state) - second);
  return static_cast<double>(state.folds) * mean_work(state) * steps + work_of_fit(state);
}

}  // namespace accrete::boosting
