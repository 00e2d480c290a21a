#include "accrete/tune/cross_validate_method.hpp"

#include <functional>
#include <limits>
#include <utility>

#include "accrete/metric/list.hpp"
#include "accrete/tune/runs.hpp"
#include "accrete/tune/runs/shared_folds.hpp"

namespace accrete::tune {
namespace {

/// Returns nullopt if stopped.
std::optional<FoldScore> run_fold(const Problem& problem, const Method& method, const data::Split& split,
                                  std::uint64_t seed, const std::function<bool()>& stop) {
  const Settings none;
  const std::size_t whole = 0;
  const auto record = method.fit({problem, split, none, {&whole, 1}, seed}, stop);
  if (!record) return std::nullopt;
  return FoldScore{.train_rows = split.train.size(),
                   .test_rows = split.test.size(),
                   .metrics = record->prefixes.front().metrics,
                   .train_loss = std::numeric_limits<double>::quiet_NaN(),
                   .units = record->units,
                   .seconds = record->seconds};
}

}  // namespace

CrossValidationResult cross_validate(const Problem& problem, const Method& method, std::uint64_t seed,
                                     const CrossValidation& how, core::Workers& workers) {
  CrossValidationResult result{.task = problem.target.task,
                               .task_reason = problem.target.reason,
                               .metric = metric::primary(problem.target.task)};
  if (auto scarce = note_scarce_class(problem, how.folds)) result.notes.push_back(std::move(*scarce));
  const std::uint64_t data = fingerprint(problem);
  const std::vector<data::Split> splits = draw_all_folds(problem, how, seed);
  const auto run = [&](std::size_t i, const std::function<bool()>& stop) -> std::optional<FoldScore> {
    if (stop && stop()) return std::nullopt;
    FitKey key;
    key.data = data;
    key.repeat = static_cast<std::int64_t>(i / how.folds);
    key.outer_fold = static_cast<std::int64_t>(i % how.folds);
    auto score = run_fold(problem, method, splits[i], seed_of(seed, key, method.name()), stop);
    if (!score) return std::nullopt;
    score->repeat = i / how.folds;
    score->fold = i % how.folds;
    return score;
  };
  take_scores(run_folds(splits.size(), how, workers, run), result);
  return result;
}

}  // namespace accrete::tune
