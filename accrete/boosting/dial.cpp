#include "accrete/boosting/dial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/boosting/dial/exit_evidence.hpp"
#include "accrete/boosting/dial/risk_control.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/split.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::boosting {
namespace {

using core::parameter;

constexpr std::size_t learning_part = 4, max_learning_rows = 5'000;  ///< one row in four learns
constexpr double shape_quantile = 0.99;

std::size_t learning_rows(std::size_t rows) {
  return std::min(rows / learning_part, max_learning_rows);
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
    throw core::UsageError(parameter("tolerance"), "is for regression; labels are equal or not");
  model::require_dial(model);
  if (!model.offset_column.empty())
    throw core::UsageError(core::message("the model has {}; early exit knows the network's scores only",
                                         parameter("offset_column", model.offset_column)));
}

void check_rows(const data::Table& table, const DialOptions& options) {
  const std::size_t needed = min_dial_rows(options);
  if (table.rows() >= needed) return;
  throw core::DataError(core::message(
      "{}: {} rows are too few for {} with {}: {} rows without a difference must test it, and a quarter of all learns; "
      "give at least {}",
      table.source, table.rows(), parameter("disagreement", options.disagreement),
      parameter("confidence", options.confidence), min_test_rows(options.disagreement, options.confidence), needed));
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

/// Thresholds that fall together with one factor, from what the learning rows show.
class ThresholdFamily {
 public:
  ThresholdFamily(const ExitEvidence& evidence, std::span<const std::size_t> learning)
      : classes_(evidence.tolerances.empty()) {
    for (std::size_t e = 0; e < evidence.shown.rows(); ++e) {
      std::vector<double> shown, change;
      for (const std::size_t r : learning) shown.push_back(evidence.shown(e, r));
      const double usual = classes_ ? 0.0 : std::max(quantile(shown, 0.5), std::numeric_limits<double>::min());
      for (std::size_t i = 0; i < learning.size(); ++i)
        change.push_back(evidence.change(e, learning[i]) / (classes_ ? 1.0 : shown[i] + usual));
      usual_.push_back(usual);
      // Where nearly all margins grow, a share of the usual change keeps the threshold above 0.
      std::vector<double> sizes;
      for (const double value : change) sizes.push_back(std::abs(value));
      const double floor = std::max(0.1 * quantile(std::move(sizes), 0.5), std::numeric_limits<double>::min());
      scale_.push_back(std::max(quantile(std::move(change), shape_quantile), floor));
    }
  }

  /// Classes: the margin must be `factor` times what nearly all rows lose. Regression: the distance to the final
  /// prediction is taken to be at most `factor` * scale * (movement + usual movement), which must be within 1.
  std::vector<double> thresholds(double factor) const {
    std::vector<double> result;
    for (std::size_t e = 0; e < scale_.size(); ++e)
      result.push_back(classes_ ? factor * scale_[e] : e == 0 ? -1.0 : 1.0 / (factor * scale_[e]) - usual_[e]);
    return result;
  }

  bool stops(double shown, double threshold) const { return classes_ ? shown >= threshold : shown <= threshold; }

 private:
  bool classes_;
  std::vector<double> scale_, usual_;
};

/// How the rows that test fare with thresholds.
struct Outcome {
  std::size_t differed = 0;
  double units = 0.0;  ///< mean
};

Outcome try_thresholds(const ExitEvidence& evidence, const ThresholdFamily& family, std::span<const double> thresholds,
                       std::span<const std::size_t> rows, std::span<const std::size_t> units) {
  Outcome outcome;
  for (const std::size_t r : rows) {
    std::size_t e = 0;
    while (e < thresholds.size() && !family.stops(evidence.shown(e, r), thresholds[e])) ++e;
    if (e < thresholds.size()) outcome.differed += evidence.differs(e, r);
    outcome.units += static_cast<double>(units[e]) / static_cast<double>(rows.size());
  }
  return outcome;
}

/// From 1,024, where no row stops, down to 1 / 32 in steps of 9 %: fine enough to lose little, coarse enough to be
/// quick.
std::vector<double> factors() {
  std::vector<double> result;
  for (int i = 80; i >= -40; --i) result.push_back(std::exp2(i / 8.0));
  return result;
}

/// Without the exits at which no row of a regression can stop and that no later one compares with.
std::vector<model::Exit> useful_exits(std::span<const std::size_t> steps, std::span<const double> thresholds) {
  std::vector<model::Exit> exits;
  for (std::size_t e = 0; e < steps.size(); ++e)
    if (thresholds[e] >= 0.0 || (e + 1 < steps.size() && thresholds[e + 1] >= 0.0))
      exits.push_back({steps[e], thresholds[e]});
  return exits;
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
  const auto steps = candidate_exits(model.network);
  const double share = static_cast<double>(learning_rows(table.rows())) / static_cast<double>(table.rows());
  // The learning rows are the smaller part, which holdout calls test.
  const data::Split split = data::holdout(table.rows(), {}, share, options.seed);
  const ExitEvidence evidence = collect_evidence(model, table, steps, split.test, options.tolerance, workers);
  const ThresholdFamily family(evidence, split.test);
  std::vector<std::size_t> units;
  for (const std::size_t exit : steps) units.push_back(model.network.units_after(exit));
  units.push_back(model.network.units());

  const auto list = factors();
  const auto outcome_of = [&](std::span<const double> thresholds) {
    return try_thresholds(evidence, family, thresholds, split.train, units);
  };
  const std::size_t safe = count_safe(list.size(), split.train.size(), {options.disagreement, options.confidence},
                                      [&](std::size_t i) { return outcome_of(family.thresholds(list[i])).differed; });

  model::EarlyExit result{.disagreement = options.disagreement,
                          .confidence = options.confidence,
                          .rows = split.train.size(),
                          .differed = 0,
                          .mean_units = static_cast<double>(units.back()),
                          .exits = {},
                          .tolerances = evidence.tolerances};
  if (safe == 0 || steps.empty()) return result;
  const auto thresholds = family.thresholds(list[safe - 1]);
  const Outcome outcome = outcome_of(thresholds);
  result.differed = outcome.differed;
  result.mean_units = outcome.units;
  result.exits = useful_exits(steps, thresholds);
  return result;
}

}  // namespace accrete::boosting
