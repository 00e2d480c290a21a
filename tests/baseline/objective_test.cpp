#include "accrete/baseline/objective.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/baseline/reference.hpp"

namespace accrete::baseline::objective_test {
namespace {

std::vector<std::size_t> all_rows(const ObjectiveCase& c) {
  std::vector<std::size_t> rows(c.data.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

double largest(std::span<const double> values) {
  double most = 0.0;
  for (double v : values) most = std::max(most, std::abs(v));
  return most;
}

/// Depths, widths around the kernels' groups of 2, 4, 8 and 16, losses and activations.
std::vector<ObjectiveCase> cases() {
  std::vector<ObjectiveCase> list;
  const std::vector<std::vector<std::size_t>> hidden{{}, {1}, {3}, {16}, {7, 5}, {4, 9, 2}, {20, 17, 33, 8}};
  std::size_t rows = 1;
  for (const char* activation : activation::All::names)
    for (const auto& layers : hidden)
      for (const auto& [loss, outputs] : {std::pair{"squared", 1}, {"squared", 3}, {"logistic", 1}, {"softmax", 5}}) {
        std::vector<std::size_t> widths{1 + rows % 11};
        widths.insert(widths.end(), layers.begin(), layers.end());
        widths.push_back(outputs);
        list.push_back(make_case(widths, activation, loss, rows));
        rows = rows * 7 % 701 + 1;
      }
  return list;
}

TEST(PlainReference, AgreesWithFiniteDifferences) {
  for (ObjectiveCase& c : cases()) {
    if (c.data.rows() * c.shape.size() > 20'000) continue;  // two evaluations per parameter
    c.data.row_weight = 1.7;
    std::vector<double> p = random_parameters(c.shape), gradient, unused;
    const auto rows = all_rows(c);
    reference(c, p, rows, gradient);
    std::size_t kinks = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      constexpr double h = 1e-6;
      const double here = p[i];
      p[i] = here + h;
      const double above = reference(c, p, rows, unused);
      p[i] = here - h;
      const double below = reference(c, p, rows, unused);
      p[i] = here;
      kinks += std::abs((above - below) / (2 * h) - gradient[i]) > 1e-6 * (1 + largest(gradient));
    }
    EXPECT_LE(kinks, c.activation.name() == std::string("relu") ? p.size() / 50 : 0u) << c.activation.name();
  }
}

TEST(PlainObjective, AgreesWithTheReference) {
  core::Workers workers(2);
  for (const ObjectiveCase& c : cases()) {
    const backend::TrainingProblem problem{c.data, c.shape.outputs(), c.loss, c.activation, workers};
    PlainObjective objective(c.shape, problem, c.alpha);
    const auto p = random_parameters(c.shape);
    std::vector<double> gradient(p.size()), wanted;
    const double value = objective.evaluate(p, gradient);
    const double expected = reference(c, p, all_rows(c), wanted);
    EXPECT_NEAR(value, expected, 2e-6 * (1 + std::abs(expected))) << c.activation.name() << " " << c.loss.name();
    for (std::size_t i = 0; i < p.size(); ++i)
      ASSERT_NEAR(gradient[i], wanted[i], 2e-5 * (1e-2 + largest(wanted)))
          << c.activation.name() << " " << c.loss.name() << ", parameter " << i << " of " << p.size();
  }
}

TEST(PlainObjective, EvaluatesAMiniBatchLikeItsRowsAlone) {
  core::Workers workers(2);
  const ObjectiveCase c = make_case({6, 9, 4, 3}, "tanh", "softmax", 500);
  PlainObjective objective(c.shape, {c.data, 3, c.loss, c.activation, workers}, c.alpha);
  const auto p = random_parameters(c.shape);
  std::vector<double> gradient(p.size()), wanted;
  core::Rng rng(3, 0, core::Purpose::batches);
  // Sizes alternate, as at the end of an epoch, so that cached batches are reused.
  for (const std::size_t size : {200, 200, 55, 200, 1, 17, 55, 500, 200}) {
    const auto rows = rng.choose(500, size);
    objective.set_rows(rows);
    EXPECT_NEAR(objective.evaluate(p, gradient), reference(c, p, rows, wanted), 1e-5) << size;
    for (std::size_t i = 0; i < p.size(); ++i)
      ASSERT_NEAR(gradient[i], wanted[i], 1e-5 * (1 + largest(wanted))) << size;
  }
}

TEST(PlainObjective, DoesNotDependOnTheNumberOfThreads) {
  const ObjectiveCase c = make_case({40, 24, 12, 1}, "relu", "logistic", 5000);
  const auto p = random_parameters(c.shape);
  std::vector<std::vector<double>> gradients;
  std::vector<double> values;
  for (const std::size_t threads : {1, 2, 3, 8}) {
    core::Workers workers(threads);
    PlainObjective objective(c.shape, {c.data, 1, c.loss, c.activation, workers}, c.alpha);
    gradients.emplace_back(p.size());
    values.push_back(objective.evaluate(p, gradients.back()));
    EXPECT_EQ(values.back(), values.front()) << threads;
    EXPECT_EQ(gradients.back(), gradients.front()) << threads;
  }
}

}  // namespace
}  // namespace accrete::baseline::objective_test
