// Evaluations of dense features on a GPU against the CPU's, and the fits that use them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"
#include "accrete/core/tiled.hpp"
#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda::evaluator_test {
namespace {

using backend::StepObjective;

struct DenseCase {
  std::size_t rows, features, units, outputs;
  StepObjective objective;
  double drawn_rows = 1.0, drawn_features = 1.0;
};

// Sizes below, at and above a tile of 32 rows, features or units, and a part of 16 terms.
constexpr DenseCase cases[] = {
    {1, 1, 1, 1, StepObjective::squared_error},
    {31, 16, 4, 1, StepObjective::loss},
    {32, 17, 5, 3, StepObjective::loss},
    {65, 32, 32, 2, StepObjective::squared_error},
    {700, 33, 33, 3, StepObjective::loss, 0.5},
    {700, 5, 6, 1, StepObjective::projected, 1.0, 0.6},
    {3000, 100, 50, 9, StepObjective::loss, 0.7, 0.5},
    {3000, 64, 16, 4, StepObjective::projected, 0.5},
    {9000, 20, 40, 1, StepObjective::squared_error, 1.0, 0.8},
    {20000, 70, 12, 26, StepObjective::loss},
};

data::Dataset random_rows(const DenseCase& c, core::Rng& rng) {
  core::Matrix<float> x(c.rows, c.features);
  for (std::size_t r = 0; r < c.rows; ++r)
    for (std::size_t f = 0; f < c.features; ++f) x(r, f) = static_cast<float>(rng.normal());
  data::Dataset rows;
  rows.features = data::Features(core::TiledMatrix::from_rows(x));
  const bool classes = c.objective == StepObjective::loss && c.outputs > 1;
  rows.targets = core::Matrix<double>(c.rows, classes ? 1 : c.outputs);
  for (std::size_t r = 0; r < c.rows; ++r) {
    for (std::size_t t = 0; t < rows.targets.cols(); ++t)
      rows.targets(r, t) = classes ? static_cast<double>(rng.below(c.outputs)) : rng.normal();
    rows.weights.push_back(static_cast<double>(rng.below(4)) + (r == 0));
  }
  return rows;
}

class CudaEvaluator : public CudaTest {
 protected:
  /// Value, gradient and, for a projected objective, the output layer at a random point. device: null for the CPU.
  std::vector<double> evaluate(const DenseCase& c, backend::FitDevice* device) {
    core::Rng rng(3, c.rows, core::Purpose::generator);
    const data::Dataset data = random_rows(c, rng);
    const bool classes = data.targets.cols() < c.outputs;
    const backend::TrainingProblem problem{.dataset = data,
                                           .outputs = c.outputs,
                                           .loss = loss::Loss::named(classes ? "softmax" : "squared"),
                                           .activation = activation::Activation::named("tanh"),
                                           .workers = workers_};
    const auto rows = device ? device->make_rows(problem) : backend::make_cpu_rows(problem);
    rows->reset_scores(std::vector<double>(c.outputs, 0.1));
    rows->compute_residuals(false);
    const auto drawn = [&](double share, std::size_t count, core::Purpose purpose) {
      return core::Rng(5, c.units, purpose).choose(count, static_cast<std::size_t>(std::ceil(share * double(count))));
    };
    const auto features = drawn(c.drawn_features, c.features, core::Purpose::features);
    const auto listed =
        c.drawn_rows < 1.0 ? drawn(c.drawn_rows, c.rows, core::Purpose::rows) : std::vector<std::size_t>();
    rows->set_view({.rows = listed, .features = features, .units = c.units, .objective = c.objective, .alpha = 0.1});
    const backend::BlockShape shape{features.size(), c.units, c.outputs};
    const bool projected = c.objective == StepObjective::projected;
    std::vector<double> point(projected ? shape.hidden_size() : shape.size()), gradient(point.size());
    for (double& p : point) p = 0.3 * rng.normal();
    std::vector<double> result{rows->evaluate(point, gradient)};
    result.insert(result.end(), gradient.begin(), gradient.end());
    if (!projected) return result;
    std::vector<double> layer(shape.size() - shape.hidden_size());
    rows->project(point, layer);
    result.insert(result.end(), layer.begin(), layer.end());
    return result;
  }

  core::Workers workers_{2};
};

std::string name_of(const DenseCase& c) {
  return std::to_string(c.rows) + " x " + std::to_string(c.features) + ", " + std::to_string(c.units) + " units, " +
         std::to_string(c.outputs) + " outputs";
}

TEST_F(CudaEvaluator, AgreesWithTheCpu) {
  for (const DenseCase& c : cases) {
    const std::vector<double> found = evaluate(c, device_.get()), wanted = evaluate(c, nullptr);
    ASSERT_EQ(found.size(), wanted.size());
    double largest = 0.0;
    for (std::size_t i = 1; i < wanted.size(); ++i) largest = std::max(largest, std::abs(wanted[i]));
    EXPECT_NEAR(found[0], wanted[0], 2e-6 * wanted[0]) << name_of(c);
    double difference = 0.0;
    for (std::size_t i = 1; i < wanted.size(); ++i) difference = std::max(difference, std::abs(found[i] - wanted[i]));
    EXPECT_LT(difference, 2e-5 * largest) << name_of(c);
  }
}

TEST_F(CudaEvaluator, HasTheSameBitsAgain) {
  for (const DenseCase& c : cases) EXPECT_EQ(evaluate(c, device_.get()), evaluate(c, device_.get())) << name_of(c);
}

/// The rows of a fit stay on the GPU from step to step, drawn rows do not.
TEST_F(CudaEvaluator, FitsAsWellAsTheCpu) {
  const std::size_t rows = full_or_small<std::size_t>(12'000, 1'000);
  const std::uint64_t units = full_or_small<std::uint64_t>(60, 24);
  const FitSet sets[] = {
      make("waveform", rows, "default", {.units = units, .units_per_step = 12}, 1),
      make("twonorm", rows, "default", {.units = units, .units_per_step = 6, .subsample = 0.5}, 1),
      make("friedman1", rows, "default", {.units = units, .units_per_step = 12, .feature_fraction = 0.6}, 1),
      make_classes(26, rows, "default", {.units = units, .units_per_step = 12}, 1)};
  for (const FitSet& set : sets) {
    ASSERT_FALSE(device_->runs_steps(set.rows[0].train.features, set.fits[0].config, set.fits[0].start.size()));
    const auto cpu = losses(set, 0, nullptr), gpu = losses(set, 0, device_.get());
    ASSERT_EQ(gpu.size(), cpu.size());
    EXPECT_LT(gpu.back(), full_or_small(0.9, 0.95) * gpu.front());
    EXPECT_NEAR(gpu.back() / cpu.back(), 1.0, 0.03) << set.fits[0].config.loss;
  }
}

/// Gauss-Newton steps read the matrix of a sample of the rows after the device's evaluations.
TEST_F(CudaEvaluator, TakesGaussNewtonSteps) {
  FitSet set = make("friedman1", full_or_small<std::size_t>(8'000, 800), "default",
                    {.units = 30, .units_per_step = 5, .objective = "projected"}, 1);
  set.fits[0].config.gauss_newton = true;
  const auto cpu = losses(set, 0, nullptr), gpu = losses(set, 0, device_.get());
  EXPECT_LT(gpu.back(), 0.5 * gpu.front());
  EXPECT_NEAR(gpu.back() / cpu.back(), 1.0, 0.03);
}

}  // namespace
}  // namespace accrete::cuda::evaluator_test
