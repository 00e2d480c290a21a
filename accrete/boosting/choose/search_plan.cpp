#include "accrete/boosting/choose/search_plan.hpp"

#include <algorithm>
#include <string_view>

#include "accrete/boosting/read.hpp"

namespace accrete::boosting {
namespace {

constexpr CandidateSetting small_classes[] = {{0.1, 0}, {1.0, 0}, {1.0, 8}, {10.0, 8}};
constexpr CandidateSetting small_regression[] = {{0.1, 0}, {1.0, 0}, {0.1, 8}, {1.0, 8}, {10.0, 8}};
constexpr CandidateSetting small_fast[] = {{1.0, 0}, {1.0, 8}};

// Of large tables: one candidate per encoding. The search then refines the best one.
constexpr CandidateSetting large_fast[] = {{1.0, 0}, {30.0, 32}};
constexpr CandidateSetting large_binary[] = {{1.0, 0}, {30.0, 32}, {30.0, 64}};
constexpr CandidateSetting large_many_classes[] = {{1.0, 0}, {10.0, 32}, {10.0, 64}};
constexpr CandidateSetting large_regression[] = {{1.0, 0}, {30.0, 32}, {30.0, 128}};

// Sparse columns have no bins and often outnumber the rows. The many units of a large table's step together overfit
// rare columns unless the penalty is heavy.
constexpr CandidateSetting small_sparse[] = {{0.1, 0}, {1.0, 0}, {10.0, 0}, {100.0, 0}};
constexpr CandidateSetting small_sparse_fast[] = {{1.0, 0}, {10.0, 0}};
constexpr CandidateSetting large_sparse[] = {{1.0, 0}, {10.0, 0}, {100.0, 0}, {1000.0, 0}};
constexpr CandidateSetting large_sparse_fast[] = {{10.0, 0}, {100.0, 0}, {1000.0, 0}};

// Tried without bins if the candidates learn little.
constexpr double small_heavier[] = {10.0, 100.0};
constexpr double large_heavier[] = {10.0, 100.0, 1000.0, 3000.0};

constexpr std::uint64_t max_units_per_small_step = 2;  // below few_rows: more steps for the same number of units
constexpr std::size_t few_rows = 4000;
/// A sample has half of the rows, but at least this many and at most LargeEffort::max_rows.
constexpr std::size_t min_sample_rows = 4000;
constexpr std::size_t many_outputs = 8;  // from this many outputs on, a step has twice the units

/// What a preset spends on large tables; the values given here are those of the default.
struct LargeEffort {
  std::span<const CandidateSetting> settings;
  double rate;
  std::uint64_t steps;
  double first_rate = 0.0;
  std::uint64_t max_iter = 50;
  std::size_t max_rows = 10'000, refinements = 6;
  std::uint64_t units_per_step = 16;
  Rungs rungs = {8, 8, 4, 6};
  double comparing_rate = 0.0;
};

/// At the final rate, eight steps explain so little of a regression that candidates look alike; at this one they
/// differ.
constexpr double comparing_rate_of_regression = 0.4;

// With three classes or more, all scores share the units of a step, so that more steps are needed.
constexpr LargeEffort default_binary{.settings = large_binary, .rate = 0.25, .steps = 20};
constexpr LargeEffort default_many_classes{.settings = large_many_classes, .rate = 0.2, .steps = 40};
constexpr LargeEffort default_regression{
    .settings = large_regression, .rate = 0.25, .steps = 28, .comparing_rate = comparing_rate_of_regression};

/// `fast` grows few steps and chooses on few rows.
constexpr LargeEffort fast_of(std::uint64_t steps) {
  return {.settings = large_fast, .rate = 0.4, .steps = steps, .max_iter = 30, .max_rows = 4000, .refinements = 3};
}

/// `best` tries the candidates of the default, longer and on more rows.
constexpr LargeEffort best_of(LargeEffort effort) {
  effort.rate = 0.1;
  effort.first_rate = 0.2;
  effort.steps = 240;
  effort.max_iter = 60;
  effort.max_rows = 20'000;
  effort.refinements = 10;
  effort.units_per_step = 8;
  effort.rungs = {16, 16, 16, 24};
  effort.comparing_rate = std::max(effort.comparing_rate, 0.25);
  return effort;
}

const LargeEffort& large_effort(std::string_view preset, std::size_t classes) {
  static constexpr LargeEffort fast = fast_of(8), fast_many_classes = fast_of(16);
  static constexpr LargeEffort best_regression = best_of(default_regression), best_binary = best_of(default_binary),
                               best_many_classes = best_of(default_many_classes);
  const auto by_task = [&](const LargeEffort& regression, const LargeEffort& binary,
                           const LargeEffort& many) -> const LargeEffort& {
    return classes == 0 ? regression : classes == 2 ? binary : many;
  };
  if (preset == "fast") return by_task(fast, fast, fast_many_classes);
  if (preset == "best") return by_task(best_regression, best_binary, best_many_classes);
  return by_task(default_regression, default_binary, default_many_classes);
}

SearchPlan small_plan(const ChoiceTask& task, bool fast) {
  const config::Config& given = task.options.config;
  const bool classes = !task.fit.model.classes.empty();
  SearchPlan plan{.settings = classes ? std::span<const CandidateSetting>(small_classes) : small_regression,
                  .heavier_alphas = small_heavier,
                  .config = task.fit.config,
                  .max_rows = max_rows_to_choose,
                  .max_folds = 5,
                  .max_growth = fast ? 1u : 5u,
                  .rungs = {},
                  .is_large = false};
  if (!given.units_per_step && task.rows.size() < few_rows)
    plan.config.units_per_step = std::min(plan.config.units_per_step, max_units_per_small_step);
  if (fast) {
    plan.settings = small_fast;
    plan.max_folds = 1;
    if (!given.units) plan.config.units = 200;
    if (!given.max_iter) plan.config.max_iter = std::min<std::uint64_t>(plan.config.max_iter, 30);
  }
  const std::size_t j = plan.config.units_per_step;
  const auto steps = [=](std::size_t wanted, std::size_t at_least) { return std::max(wanted / j, at_least); };
  plan.rungs = {steps(96, 4), steps(288, 8), steps(96, 2), std::max<std::size_t>((192 + j - 1) / j, 3)};
  return plan;
}

SearchPlan large_plan(const ChoiceTask& task, const LargeEffort& effort) {
  const config::Config& given = task.options.config;
  config::ResolvedConfig config = task.fit.config;
  const auto set = [](auto& field, const auto& is_given, auto value) {
    if (!is_given) field = value;
  };
  set(config.units_per_step, given.units_per_step,
      task.fit.outputs >= many_outputs ? 2 * effort.units_per_step : effort.units_per_step);
  config.units_per_step = std::min(config.units_per_step, config.units);
  set(config.units, given.units, effort.steps * config.units_per_step);
  set(config.activation, given.activation, "tanh");
  set(config.max_iter, given.max_iter, effort.max_iter);
  set(config.feature_fraction, given.feature_fraction, 1.0);
  if (!given.learning_rate) {
    config.learning_rate = std::max(config.learning_rate, effort.rate);
    if (!given.units) config.learning_rate = effort.rate;
    set(config.first_rate, given.first_rate, effort.first_rate);
  }
  // With fewer rows than columns every candidate overfits and none beats the constant.
  const std::size_t sample = std::clamp<std::size_t>(task.rows.size() / 2, min_sample_rows, effort.max_rows);
  SearchPlan plan{.settings = effort.settings,
                  .heavier_alphas = large_heavier,
                  .config = config,
                  .max_rows = std::max(sample, task.table.columns.size()),
                  .max_folds = 1,
                  .max_growth = 1,
                  .rungs = effort.rungs,
                  .is_large = true,
                  .max_refinements = effort.refinements,
                  .comparing_rate = given.learning_rate ? 0.0 : effort.comparing_rate};
  return plan;
}

SearchPlan dense_plan(const ChoiceTask& task) {
  const std::string_view preset = task.options.preset;
  const std::size_t classes = task.fit.model.classes.size();
  // Mini-batch solvers have their own rates and batches; the plan for large tables assumes L-BFGS.
  const std::size_t min_rows = classes > 0 ? min_large_classes : min_large_regression;
  if (task.rows.size() < min_rows || task.fit.config.solver != "lbfgs") return small_plan(task, preset == "fast");
  return large_plan(task, large_effort(preset, classes));
}

}  // namespace

SearchPlan search_plan(const ChoiceTask& task) {
  SearchPlan plan = dense_plan(task);
  if (!are_sparse(task.table.table(), task.table.columns)) return plan;
  const bool is_fast = task.options.preset == "fast";
  if (plan.is_large)
    plan.settings = is_fast ? std::span<const CandidateSetting>(large_sparse_fast) : large_sparse;
  else
    plan.settings = is_fast ? std::span<const CandidateSetting>(small_sparse_fast) : small_sparse;
  return plan;
}

}  // namespace accrete::boosting
