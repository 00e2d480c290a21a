#pragma once
// Data and evaluations for tests of lookup tables on any backend.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"

namespace accrete::backend::lookup_test {

inline constexpr std::size_t rows = 700, bins = 40, levels = 30;

/// A dataset and the first feature of each of its columns.
struct MixedData {
  data::Dataset dataset;
  std::vector<std::size_t> column_starts;
};

/// Three binned columns, one with missing values, one column with three distinct values, and a category of 30 levels
/// with missing values, and a column of two values, which gets no bins. coarse: all numbers are knots, so that rounding
/// to the grid does not change them.
inline MixedData mixed_data(core::Workers& workers, bool coarse = false, std::optional<std::size_t> max_expanded = {}) {
  const auto number = [&](double x) { return static_cast<float>(coarse ? std::floor(4.0 * x) / 4.0 : x); };
  core::Rng rng(3, 0, core::Purpose::generator);
  data::Table table{"random", std::vector<data::Column>(6)};
  for (std::size_t c = 0; c < 6; ++c) table.columns[c].name = std::string(1, static_cast<char>('a' + c));
  for (std::size_t r = 0; r < rows; ++r) {
    table.columns[0].numbers.push_back(number(rng.normal()));
    table.columns[1].numbers.push_back(rng.below(7) == 0 ? NAN : number(5.0 * rng.uniform()));
    table.columns[2].numbers.push_back(static_cast<float>(rng.below(3)));
    table.columns[3].numbers.push_back(number(std::min(5.0, std::exp(rng.normal()))));
    table.columns[4].codes.push_back(static_cast<std::int32_t>(rng.below(levels + 1)) - 1);
    table.columns[5].numbers.push_back(static_cast<float>(rng.below(2)));
  }
  table.columns[4].kind = data::Column::Kind::text;
  for (std::size_t l = 0; l < levels; ++l) table.columns[4].levels.push_back("level " + std::to_string(l));
  std::vector<std::size_t> all(rows), columns{0, 1, 2, 3, 4, 5};
  std::iota(all.begin(), all.end(), std::size_t{0});
  MixedData result;
  data::Dataset& data = result.dataset;
  data.targets = core::Matrix<double>(rows, 1);
  for (std::size_t r = 0; r < rows; ++r) data.targets(r, 0) = static_cast<double>(rng.below(3));
  const auto encoder = data::Encoder::fit(table, columns, {all, {}, {&data.targets, 0}}, {.bins = bins});
  const std::span<const std::size_t> parts[] = {all};
  for (const data::ColumnEncoding& column : encoder.columns()) result.column_starts.push_back(column.first());
  data.features =
      std::move(data::encode_subsets(encoder, {table}, parts, workers, {.max_expanded = max_expanded}).front());
  for (std::size_t r = 0; r < rows; ++r) data.weights.push_back(static_cast<double>(rng.below(4)) + (r == 0));
  return result;
}

/// Compares two results of evaluate_case; the tolerance of the gradient is relative to its largest element.
inline void expect_close(const std::vector<double>& found, const std::vector<double>& wanted) {
  double largest = 0.0;
  for (std::size_t i = 1; i < wanted.size(); ++i) largest = std::max(largest, std::abs(wanted[i]));
  EXPECT_NEAR(found[0], wanted[0], 1e-6 * wanted[0]);
  for (std::size_t i = 1; i < wanted.size(); ++i) ASSERT_NEAR(found[i], wanted[i], 1e-5 * largest) << i;
}

struct LookupCase {
  StepObjective objective;
  const char* loss;
  std::size_t units, outputs;
  double column_share;
  bool subset;  ///< half of the rows
};

/// All features of a random share of the columns.
inline std::vector<std::size_t> drawn_features(const LookupCase& c, std::span<const std::size_t> starts,
                                               std::size_t width) {
  std::vector<std::size_t> features;
  const auto count = static_cast<std::size_t>(std::ceil(c.column_share * static_cast<double>(starts.size())));
  for (const std::size_t g : core::Rng(5, c.units, core::Purpose::features).choose(starts.size(), count))
    for (std::size_t f = starts[g]; f < (g + 1 < starts.size() ? starts[g + 1] : width); ++f) features.push_back(f);
  return features;
}

/// Value, then gradient, at a random point of the case. make: puts rows on a backend.
template <class Make>
std::vector<double> evaluate_case(Make make, const LookupCase& c, const MixedData& mixed, core::Workers& workers) {
  const auto& [data, column_starts] = mixed;
  const TrainingProblem problem{.dataset = data,
                                .outputs = c.outputs,
                                .loss = loss::Loss::named(c.loss),
                                .activation = activation::Activation::named("tanh"),
                                .workers = workers};
  const std::unique_ptr<TrainingRows> resident = make(problem);
  resident->reset_scores(std::vector<double>(c.outputs, 0.1));
  resident->compute_residuals(false);
  const auto features = drawn_features(c, column_starts, data.features.cols());
  const auto drawn = core::Rng(5, c.units, core::Purpose::rows).choose(rows, rows / 2);
  resident->set_view({.rows = c.subset ? std::span<const std::size_t>(drawn) : std::span<const std::size_t>(),
                      .features = features,
                      .units = c.units,
                      .objective = c.objective,
                      .alpha = 0.1});
  const BlockShape shape{features.size(), c.units, c.outputs};
  std::vector<double> point(c.objective == StepObjective::projected ? shape.hidden_size() : shape.size()),
      gradient(point.size());
  core::Rng rng(7, c.units, core::Purpose::weights);
  for (double& p : point) p = 0.3 * rng.normal();
  std::vector<double> result{resident->evaluate(point, gradient)};
  result.insert(result.end(), gradient.begin(), gradient.end());
  return result;
}

inline constexpr LookupCase cases[] = {
    {.objective = StepObjective::squared_error,
     .loss = "squared",
     .units = 1,
     .outputs = 1,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::squared_error,
     .loss = "squared",
     .units = 4,
     .outputs = 1,
     .column_share = 0.7,
     .subset = true},
    {.objective = StepObjective::loss,
     .loss = "softmax",
     .units = 3,
     .outputs = 3,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::loss,
     .loss = "softmax",
     .units = 4,
     .outputs = 3,
     .column_share = 0.5,
     .subset = false},
    {.objective = StepObjective::loss,
     .loss = "squared",
     .units = 6,
     .outputs = 1,
     .column_share = 0.7,
     .subset = true},
    {.objective = StepObjective::projected,
     .loss = "squared",
     .units = 4,
     .outputs = 1,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::projected,
     .loss = "squared",
     .units = 8,
     .outputs = 1,
     .column_share = 0.5,
     .subset = false},
    {.objective = StepObjective::projected,
     .loss = "squared",
     .units = 16,
     .outputs = 1,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::loss,
     .loss = "softmax",
     .units = 23,
     .outputs = 3,
     .column_share = 1.0,
     .subset = true},
};

}  // namespace accrete::backend::lookup_test
