// A random problem, evaluated by the CPU backend and by the reference: values and gradients agree to rounding.

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/backend/random_rows.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {
namespace {

std::vector<double> evaluate(backend::BackendFixture& fixture, const backend::StepView& view,
                             const std::vector<double>& parameters) {
  std::vector<double> result(parameters.size() + 1);
  fixture.rows->compute_residuals(false);
  fixture.rows->set_view(view);
  result.back() = fixture.rows->evaluate(parameters, std::span(result).first(parameters.size()));
  return result;
}

}  // namespace

void fuzz_backend(Bytes bytes) {
  using backend::StepObjective;
  const auto pick = [&](std::size_t low, std::size_t high) { return low + take_byte(bytes) % (high - low + 1); };
  const auto& losses = loss::All::names;
  const auto& activations = activation::All::names;
  backend::ProblemShape shape;
  shape.rows = pick(1, 255);
  shape.features = pick(1, 40);
  shape.loss = losses[pick(0, std::size(losses) - 1)];
  shape.activation = activations[pick(0, std::size(activations) - 1)];
  const loss::Loss loss = loss::Loss::named(shape.loss, {0.8, 0.3});
  shape.outputs = shape.loss == "softmax" ? pick(2, 6) : loss.classes() ? 1 : pick(1, 3);
  shape.compact = pick(0, 1) == 1;
  const bool weighted = pick(0, 1) == 1;
  const std::uint64_t seed = pick(0, 255);
  const auto objective = static_cast<StepObjective>(pick(0, 2));
  const std::size_t units = pick(1, 9);
  const bool draws = pick(0, 1) == 1;

  std::vector<std::size_t> rows, features = backend::all_of(shape.features);
  if (draws) {
    rows = backend::some_of(shape.rows, seed), features = backend::some_of(shape.features, seed + 1);
    if (rows.front() != 0) rows.insert(rows.begin(), 0);  // the only row that surely has a weight
  }
  // Without a penalty the output layer is not unique if units are collinear or outnumber the rows.
  const double alpha = 0.25 * static_cast<double>(pick(objective == StepObjective::projected ? 1 : 0, 4));
  const backend::StepView view{
      .rows = rows, .features = features, .units = units, .objective = objective, .alpha = alpha};
  const backend::BlockShape block{features.size(), units, shape.outputs};
  auto parameters = backend::random_parameters(block, seed + 2);
  if (objective == StepObjective::projected) parameters.resize(block.hidden_size());

  backend::BackendFixture cpu(shape, backend::random_dataset(shape, weighted, seed + 3), "cpu");
  backend::BackendFixture reference(shape, backend::random_dataset(shape, weighted, seed + 3), "reference");
  const auto found = evaluate(cpu, view, parameters), wanted = evaluate(reference, view, parameters);
  // A gradient of relu jumps where the input of a unit is 0 to rounding, so those on both sides are right.
  std::vector<std::vector<double>> right{wanted};
  if (shape.activation == "relu")
    for (const double shift : {-2e-6, 2e-6}) {
      auto moved = parameters;
      for (std::size_t u = 0; u < units; ++u) moved[block.hidden_bias_at() + u] += shift;
      right.push_back(evaluate(reference, view, moved));
    }
  // The tolerances of tests/contract/backend_contract_test.cpp, doubled because there are many more problems here.
  double rounding = 4e-6 + 4e-7 * std::sqrt(static_cast<double>(features.size()));
  if (objective == StepObjective::projected) rounding *= 50.0;  // a nearly singular system loses digits
  double largest = 1.0;                                         // the terms of a sum are about 1, even if they cancel
  for (std::size_t i = 0; i < parameters.size(); ++i) largest = std::max(largest, std::abs(wanted[i]));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    require(
        std::ranges::any_of(right, [&](const auto& one) { return std::abs(found[i] - one[i]) <= rounding * largest; }),
        "gradient " + std::to_string(i) + ": " + std::to_string(found[i]) + " against " + std::to_string(wanted[i]));
  require(std::abs(found.back() - wanted.back()) <= rounding * (1.0 + std::abs(wanted.back())),
          "value " + std::to_string(found.back()) + " against " + std::to_string(wanted.back()));
}

}  // namespace accrete::fuzz
