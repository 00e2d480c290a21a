#pragma once
// A table whose target disobeys the constraints that tests put on it, and rows that show whether a model obeys.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/table.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::boosting {

/// Columns a, b (numbers, some missing), c, d (numbers), colour (text, some missing), and the target y; kind: "number",
/// "count", "binary", "three" (classes) or "pair" (two numbers, y and z).
inline data::Table constrained_table(const std::string& kind, std::size_t rows, std::uint64_t seed = 1) {
  using Kind = data::Column::Kind;
  core::Rng rng(seed, rows, core::Purpose::generator);
  const bool classes = kind == "binary" || kind == "three";
  data::Table table{"made up",
                    {{.name = "a"},
                     {.name = "b"},
                     {.name = "c"},
                     {.name = "d"},
                     {.name = "colour", .kind = Kind::text, .levels = {"red", "green", "blue"}},
                     {.name = "y", .kind = classes ? Kind::text : Kind::numeric, .levels = {"low", "high", "middle"}}}};
  if (kind == "pair") table.columns.push_back({.name = "z"});
  for (std::size_t r = 0; r < rows; ++r) {
    double x[4];
    for (double& v : x) v = rng.normal();
    const auto colour = static_cast<std::int32_t>(rng.below(4)) - 1;
    const double score = std::sin(2.0 * x[0]) + x[0] * x[2] - x[1] * x[1] + x[2] * x[3] + (colour == 1 ? x[0] : 0.0);
    for (std::size_t c = 0; c < 4; ++c)
      table.columns[c].numbers.push_back(c < 2 && rng.below(10) == 0 ? NAN : static_cast<float>(x[c]));
    table.columns[4].codes.push_back(colour);
    if (kind == "binary")
      table.columns[5].codes.push_back(score > 0.0);
    else if (kind == "three")
      table.columns[5].codes.push_back(score < -0.5 ? 0 : score < 0.5 ? 2 : 1);
    else
      table.columns[5].numbers.push_back(
          static_cast<float>(kind == "count" ? std::floor(std::exp(std::min(score, 2.0)) + rng.uniform()) : score));
    if (kind == "pair") table.columns[6].numbers.push_back(static_cast<float>(x[0] * x[1] - x[3]));
  }
  return table;
}

inline FitOptions constrained_options(const std::string& kind, const config::Config& config,
                                      const std::string& preset = "default") {
  FitOptions options;
  options.targets = {"y"};
  if (kind == "pair") options.targets.push_back("z");
  options.task = kind == "binary"  ? data::Task::binary
                 : kind == "three" ? data::Task::multiclass
                                   : data::Task::regression;
  options.preset = preset;
  options.config = config;
  return options;
}

/// Each of the first `rows` rows once per value of a column, in the order of the values.
inline data::Table swept(const data::Table& table, const std::string& column, std::size_t rows,
                         const std::vector<float>& sweep) {
  data::Table result{table.source, {}};
  for (const data::Column& from : table.columns) {
    data::Column to{.name = from.name, .kind = from.kind, .levels = from.levels};
    for (std::size_t r = 0; r < rows; ++r)
      for (const float x : sweep) {
        if (from.kind == data::Column::Kind::text) to.codes.push_back(from.codes[r]);
        if (from.kind == data::Column::Kind::numeric) to.numbers.push_back(from.name == column ? x : from.numbers[r]);
      }
    result.columns.push_back(std::move(to));
  }
  return result;
}

/// The same for values that are evenly spread, and neighbouring floats around each.
inline data::Table swept(const data::Table& table, const std::string& column, std::size_t rows, std::size_t values) {
  std::vector<float> sweep;
  for (std::size_t i = 0; 2 * i < values; ++i) {
    const float x = -4.0f + 16.0f * static_cast<float>(i) / static_cast<float>(values);
    sweep.push_back(x);
    sweep.push_back(std::nextafter(x, 10.0f));
  }
  return swept(table, column, rows, sweep);
}

/// The largest move against the sign between any two rows of the same sweep, as a share of the range of all rows.
inline double largest_violation(core::MatrixView<const double> predictions, std::size_t output, double sign,
                                std::size_t values) {
  double worst = 0.0, low = INFINITY, high = -INFINITY, top = 0.0;
  for (std::size_t r = 0; r < predictions.rows; ++r) {
    const double p = sign * predictions(r, output);
    low = std::min(low, p), high = std::max(high, p);
    top = r % values == 0 ? p : std::max(top, p);
    worst = std::max(worst, top - p);
  }
  return high > low ? worst / (high - low) : worst;
}

/// Scores of every prefix by the dense weights: steps + 1 matrices.
inline std::vector<core::Matrix<double>> prefix_scores(const model::Model& model, const data::Table& table) {
  core::Workers workers(1);
  const core::TiledMatrix features = model.encoder.encode(table);
  network::StagedForward forward(model.network, features, workers);
  std::vector<core::Matrix<double>> all;
  do {
    const auto scores = forward.scores();
    all.emplace_back(scores.rows, scores.cols);
    std::ranges::copy(scores.flat(), all.back().flat().begin());
  } while (forward.next());
  return all;
}

}  // namespace accrete::boosting
