#include "accrete/boosting/dial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "accrete/boosting/dial/choose_exits.hpp"
#include "accrete/boosting/dial/exit_evidence.hpp"
#include "accrete/boosting/dial/risk_control.hpp"
#include "accrete/boosting/dial/threshold_family.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/split.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::boosting {
namespace {

using core::parameter;

constexpr std::size_t learning_share = 4, max_learning_rows = 5'000;  ///< a quarter learn, up to this many

std::size_t learning_rows(std::size_t rows) {
  return std::min(rows / learning_share, max_learning_rows);
}

void check_dial(const model::Model& model, const DialOptions& options) {
  const auto between = [](const char* name, double value) {
    if (!(value > 0.0 && value < 1.0)) throw core::UsageError(parameter(name, value), "must be between 0 and 1");
  };
  between("disagreement", options.disagreement);
  between("confidence", options.confidence);
  if (!(options.tolerance >= 0.0 && std::isfinite(options.tolerance)))
    throw core::UsageError(parameter("tolerance", options.tolerance), "must be positive");
  if (options.tolerance > 0.0 && !model.classes.empty())
    throw core::UsageError(parameter("tolerance"), "needs a regression model; predicted classes are compared exactly");
  model::require_dial(model);
  if (!model.offset_column.empty())
    throw core::UsageError(
        core::message("early exit does not support models with an offset, and this one was trained with {}",
                      parameter("offset_column", model.offset_column)));
}

void check_rows(const data::Table& table, const DialOptions& options) {
  const std::size_t needed = min_dial_rows(options);
  if (table.rows() >= needed) return;
  throw core::DataError(core::message(
      "{}: {} rows are too few for {} with {}; give at least {}: a quarter of the rows sets the thresholds, and "
      "at least {} others must test them",
      table.source, table.rows(), parameter("disagreement", options.disagreement),
      parameter("confidence", options.confidence), needed, min_test_rows(options.disagreement, options.confidence)));
}

/// Drops the exits of a regression at which no row can stop, unless the next exit compares with them.
std::vector<model::Exit> useful_exits(std::span<const std::size_t> steps, std::span<const double> thresholds) {
  std::vector<model::Exit> exits;
  for (std::size_t e = 0; e < steps.size(); ++e)
    if (thresholds[e] >= 0.0 || (e + 1 < steps.size() && thresholds[e + 1] >= 0.0))
      exits.push_back({steps[e], thresholds[e]});
  return exits;
}

std::vector<std::size_t> units_at(const network::Network& network, std::span<const std::size_t> exits) {
  std::vector<std::size_t> units;
  for (const std::size_t steps : exits) units.push_back(network.units_after(steps));
  units.push_back(network.units());
  return units;
}

/// Rows that set the thresholds, and the others, which test the guarantee.
struct DialRows {
  std::vector<std::size_t> learning, testing;
};

DialRows split_rows_of_dial(std::size_t rows, std::uint64_t seed) {
  const double share = static_cast<double>(learning_rows(rows)) / static_cast<double>(rows);
  data::Split split = data::holdout(rows, {}, share, seed);
  return {.learning = std::move(split.test), .testing = std::move(split.train)};
}

}  // namespace

std::size_t min_dial_rows(const DialOptions& options) {
  const std::size_t needed = min_test_rows(options.disagreement, options.confidence);
  std::size_t rows = needed + 1;
  while (learning_rows(rows) == 0 || rows - learning_rows(rows) < needed) ++rows;
  return rows;
}

model::EarlyExit find_exits(const model::Model& model, const data::Table& table, const DialOptions& options,
                            core::Workers& workers) {
  check_dial(model, options);
  check_rows(table, options);
  const DialRows rows = split_rows_of_dial(table.rows(), options.seed);
  // For classes, the learning rows choose exits from a grid. Regression has fixed exits, because the movement of a row
  // at an exit depends on which exit precedes it.
  const bool is_classifier = !model.classes.empty();
  auto steps = is_classifier ? exit_grid(model.network) : regression_exits(model.network);
  ExitEvidence evidence = collect_evidence(model, table, steps, rows.learning, options.tolerance, workers);
  if (is_classifier) {
    const auto chosen = choose_exits(evidence, rows.learning, units_at(model.network, steps), options.disagreement);
    evidence = take_exits(evidence, chosen);
    std::vector<std::size_t> kept(chosen.size());
    std::ranges::transform(chosen, kept.begin(), [&](std::size_t exit) { return steps[exit]; });
    steps = std::move(kept);
  }
  const ThresholdFamily family(evidence, rows.learning);
  const auto units = units_at(model.network, steps);

  const auto list = factors();
  const auto outcome_of = [&](std::span<const double> thresholds) {
    return try_thresholds(evidence, family, thresholds, rows.testing, units);
  };
  const std::size_t safe = count_safe(list.size(), rows.testing.size(), {options.disagreement, options.confidence},
                                      [&](std::size_t i) { return outcome_of(family.thresholds(list[i])).differed; });

  model::EarlyExit result{.disagreement = options.disagreement,
                          .confidence = options.confidence,
                          .rows = rows.testing.size(),
                          .differed = 0,
                          .mean_units = static_cast<double>(units.back()),
                          .exits = {},
                          .tolerances = evidence.tolerances};
  if (safe == 0 || steps.empty()) return result;
  const auto thresholds = family.thresholds(list[safe - 1]);
  const ExitOutcome outcome = outcome_of(thresholds);
  result.differed = outcome.differed;
  result.mean_units = outcome.units;
  result.exits = useful_exits(steps, thresholds);
  return result;
}

}  // namespace accrete::boosting
