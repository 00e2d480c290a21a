#pragma once
// Small synthetic tasks for tests of the loop.

#include <cmath>
#include <string>
#include <vector>

#include "accrete/boosting/train.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/random.hpp"
#include "accrete/network/forward.hpp"
#include "tests/config/with_defaults.hpp"

namespace accrete::boosting {

/// Encoded rows of a task.
struct Sample {
  data::Dataset data;
  data::Task task = data::Task::regression;
  std::size_t outputs = 1;
};

/// kind: "binary", "three" (classes), "number", or "pair" (two numbers).
inline Sample make_sample(const std::string& kind, std::size_t rows, std::uint64_t seed = 1) {
  constexpr std::size_t features = 6;
  Sample s;
  s.task = kind == "binary" ? data::Task::binary : kind == "three" ? data::Task::multiclass : data::Task::regression;
  s.outputs = kind == "three" ? 3 : kind == "pair" ? 2 : 1;
  core::Rng rng(seed, 0, core::Purpose::generator);
  core::TiledMatrix numbers(rows, features);
  s.data.targets = core::Matrix<double>(rows, kind == "pair" ? 2 : 1);
  s.data.weights.assign(rows, 1.0);
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> x(features);
    for (std::size_t c = 0; c < features; ++c) numbers.at(r, c) = static_cast<float>(x[c] = rng.normal());
    const double z = std::sin(2 * x[0]) + x[1] * x[2] + 0.3 * rng.normal();
    if (kind == "binary")
      s.data.targets(r, 0) = z > 0.1 ? 1.0 : 0.0;
    else if (kind == "three")
      s.data.targets(r, 0) = z < -0.5 ? 0.0 : z < 0.6 ? 1.0 : 2.0;
    else
      s.data.targets(r, 0) = z;
    if (kind == "pair") s.data.targets(r, 1) = 10.0 + std::cos(x[0]) - x[3];
  }
  s.data.features = std::move(numbers);
  return s;
}

/// Sixty rows of one number, all far on the right side except the last two, which are far on the wrong one.
inline Sample nearly_right_sample() {
  Sample s;
  s.task = data::Task::binary;
  core::TiledMatrix numbers(60, 1);
  s.data.targets = core::Matrix<double>(60, 1);
  s.data.weights.assign(60, 1.0);
  for (std::size_t r = 0; r < 60; ++r) {
    numbers.at(r, 0) = -1.0f + static_cast<float>(r) / 30.0f;
    s.data.targets(r, 0) = r >= 30 && r < 58 ? 1.0 : 0.0;
  }
  s.data.features = std::move(numbers);
  return s;
}

/// A block that saturates on every row of nearly_right_sample(), so that almost no curvature is left.
inline network::Block saturated_block() {
  return {.units = 1,
          .outputs = 1,
          .features = {0},
          .hidden_weights = {200.0f},
          .hidden_bias = {3.0f},
          .output_weights = {24.0f},
          .output_bias = {-12.0}};
}

inline TrainResult train_on(const Sample& s, const config::ResolvedConfig& config, std::size_t threads = 1,
                            const Sample* validation = nullptr, const StepObserver& observe = {}) {
  core::Workers workers(threads);
  const TrainTask task{.config = config,
                       .data = s.data,
                       .outputs = s.outputs,
                       .validation = validation ? &validation->data : nullptr,
                       .workers = workers};
  return train(task, start_network(task), {}, observe);
}

/// Scores after 0, 1, 2, ... steps.
inline std::vector<core::Matrix<double>> staged(const network::Network& network, const Sample& s) {
  core::Workers workers(1);
  std::vector<core::Matrix<double>> all;
  network::forward_staged(network, s.data.features.stored(), workers,
                          [&](std::size_t, core::MatrixView<const double> scores) {
                            core::Matrix<double> copy(scores.rows, scores.cols);
                            std::copy(scores.flat().begin(), scores.flat().end(), copy.flat().begin());
                            all.push_back(std::move(copy));
                          });
  return all;
}

/// The mean loss of given scores by the one-row formulas.
inline double mean_loss(const config::ResolvedConfig& config, const Sample& s, const core::Matrix<double>& scores) {
  const loss::Loss loss = config::loss_of(config);
  double sum = 0.0, weight = 0.0;
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    double value = 0.0;
    const loss::LossRows<double> run{.count = 1,
                                     .stride = 1,
                                     .outputs = scores.cols(),
                                     .targets = s.data.targets.row(r).data(),
                                     .scores = scores.row(r).data(),
                                     .settings = loss.settings};
    loss.visit([&](auto l) { decltype(l)::values(run, &value); });
    sum += s.data.weights[r] * value;
    weight += s.data.weights[r];
  }
  return sum / weight;
}

inline bool same(const network::Network& a, const network::Network& b) {
  const auto equal = [](auto x, auto y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
  return a.features() == b.features() && a.outputs() == b.outputs() && a.activation() == b.activation() &&
         equal(a.step_ends(), b.step_ends()) && equal(a.hidden_weights(), b.hidden_weights()) &&
         equal(a.hidden_bias(), b.hidden_bias()) && equal(a.output_weights(), b.output_weights()) &&
         equal(a.prefix_bias(), b.prefix_bias());
}

/// A few steps of each objective on each kind of task that allows it.
struct Case {
  std::string kind, objective;
};
inline std::vector<Case> all_cases() {
  return {{"binary", "residual"},  {"binary", "direct"},   {"three", "residual"},
          {"three", "direct"},     {"number", "residual"}, {"number", "direct"},
          {"number", "projected"}, {"pair", "residual"},   {"pair", "projected"}};
}

inline config::ResolvedConfig config_of(const Case& c, const Sample& s, const config::Config& more = {}) {
  return config::configure("default", s.task,
                           with_defaults(more, {.units = 12,
                                                .units_per_step = 2,
                                                .learning_rate = 0.5,
                                                .activation = "tanh",
                                                .objective = c.objective,
                                                .max_iter = 60}));
}

}  // namespace accrete::boosting
