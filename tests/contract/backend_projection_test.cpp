// The projected objective of every backend: output layer, curvature, and switching to it.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/contract/backend_cases.hpp"

namespace accrete::backend::backend_projection_test {
namespace {

/// Curvature at the last evaluated point; the lower triangle stays 0.
std::vector<double> curvature(BackendFixture& loaded, std::size_t weights) {
  std::vector<double> matrix(weights * weights);
  loaded.rows->curvature(matrix);
  return matrix;
}

/// Switches the objective of a view and back; the results are bit-identical to those of a new view.
void compare_after_switch(BackendFixture& loaded, const ProblemShape& shape, const TestView& view) {
  const BlockShape block{view.features.size(), view.units, shape.outputs};
  const auto p = random_parameters(block, 5);
  const auto hidden = std::span(p).first(block.hidden_size());
  TestView other = view;
  other.objective = StepObjective::projected;
  const auto wanted = evaluate(loaded, other, hidden);
  const auto squares = evaluate(loaded, view, p);
  loaded.rows->set_objective(StepObjective::projected);
  std::vector<double> gradient(hidden.size()), whole(p.size());
  EXPECT_EQ(loaded.rows->evaluate(hidden, gradient), wanted.back());
  for (std::size_t i = 0; i < gradient.size(); ++i) ASSERT_EQ(gradient[i], wanted[i]);
  loaded.rows->set_objective(view.objective);
  EXPECT_EQ(loaded.rows->evaluate(p, whole), squares.back());
}

TEST(BackendContract, MatchesTheCurvatureOfTheReference) {
  for_each_backend([&](const char* backend) {
    for (const char* activation : activation::All::names)
      for (std::size_t outputs : {1, 3})
        for (std::size_t units : {1, 2, 5})
          for (bool compact : {false, true}) {
            const ProblemShape shape{.rows = 257,
                                     .features = 6,
                                     .outputs = outputs,
                                     .loss = "squared",
                                     .activation = activation,
                                     .compact = compact};
            BackendFixture found(shape, units % 2 == 1, backend), wanted(shape, units % 2 == 1, "reference");
            const BlockShape block{6, units, outputs};
            const auto p = random_parameters(block, units);
            const auto hidden = std::span(p).first(block.hidden_size());
            const TestView view{{}, all_of(6), units, StepObjective::projected};
            evaluate(found, view, hidden), evaluate(wanted, view, hidden);
            expect_close(curvature(found, hidden.size()), curvature(wanted, hidden.size()), 2e-5, activation);
            if (testing::Test::HasFatalFailure()) return;
          }
  });
}

TEST(BackendContract, ApproximatesTheCurvatureOfAllRowsByASample) {
  // Features grow with the row index, so that a sample must cover all rows. 2,048 of 16,384 rows give the curvature
  // to about 5 % of the largest entry.
  const ProblemShape shape{.rows = 64 * 256, .features = 3, .outputs = 2, .loss = "squared", .activation = "logistic"};
  data::Dataset data = random_dataset(shape, false);
  core::TiledMatrix numbers = data.features.stored();
  for (std::size_t r = 0; r < shape.rows; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      numbers.at(r, c) *= 2.0f * static_cast<float>(r) / static_cast<float>(shape.rows);
  data.features = std::move(numbers);
  for_each_backend([&](const char* backend) {
    BackendFixture loaded(shape, data, backend), wanted(shape, data, "reference");
    const BlockShape block{3, 2, 2};
    const auto p = random_parameters(block, 7);
    const auto hidden = std::span(p).first(block.hidden_size());
    const TestView view{{}, all_of(3), 2, StepObjective::projected};
    evaluate(loaded, view, hidden), evaluate(wanted, view, hidden);
    expect_close(curvature(loaded, hidden.size()), curvature(wanted, hidden.size()), 0.08, "sample");
  });
}

TEST(Reference, CurvatureIsTheSecondDerivativeAtAPerfectFit) {
  // With zero residuals the Gauss-Newton matrix is the second derivative of the projected objective.
  const ProblemShape shape{.rows = 60, .features = 3, .outputs = 2, .loss = "squared", .activation = "tanh"};
  BackendFixture loaded(shape, true, "reference");
  const BlockShape block{3, 2, 2};
  const auto p = random_parameters(block, 3);
  const auto hidden = std::span(p).first(block.hidden_size());
  const auto made = random_block(2, 2, all_of(3), 3);
  auto& targets = loaded.data.targets;
  for (std::size_t r = 0; r < 60; ++r)
    for (std::size_t k = 0; k < 2; ++k) {
      targets(r, k) = made.output_bias[k];
      for (std::size_t j = 0; j < 2; ++j) {
        double z = p[block.hidden_bias_at() + j];
        for (std::size_t i = 0; i < 3; ++i) z += p[j * 3 + i] * loaded.data.features.at(r, i);
        targets(r, k) += std::tanh(z) * made.output_weights[j * 2 + k];
      }
    }
  loaded.rows->reset_scores(std::vector<double>(2));
  loaded.rows->compute_residuals(false);
  const auto features = all_of(3);
  loaded.rows->set_view(
      {.rows = {}, .features = features, .units = 2, .objective = StepObjective::projected, .alpha = 0.0});
  std::vector<double> gradient(hidden.size()), more(hidden.size());
  EXPECT_NEAR(loaded.rows->evaluate(hidden, gradient), 0.0, 1e-20);
  const auto matrix = curvature(loaded, hidden.size());
  std::vector<double> point(hidden.begin(), hidden.end()), wanted(matrix.size());
  for (std::size_t i = 0; i < hidden.size(); ++i)
    for (double by : {1e-5, -1e-5}) {
      point[i] = hidden[i] + by;
      loaded.rows->evaluate(point, more);
      point[i] = hidden[i];
      for (std::size_t j = i; j < hidden.size(); ++j) wanted[i * hidden.size() + j] += more[j] / (2.0 * by);
    }
  expect_close(matrix, wanted, 1e-6, "second derivative");
}

TEST(BackendContract, ProjectsLikeTheReference) {
  for_each_backend([&](const char* backend) {
    for (const char* activation : activation::All::names)
      for (std::size_t rows : {2, 65, 1030})
        for (std::size_t units : {1, 3, 5}) {
          const ProblemShape shape{
              .rows = rows, .features = 5, .outputs = 3, .loss = "squared", .activation = activation};
          SCOPED_TRACE(testing::Message() << activation << " " << rows << " rows " << units << " units");
          BackendFixture a(shape, true, backend), b(shape, true, "reference");
          const BlockShape block{5, units, 3};
          const auto p = random_parameters(block, 8);
          std::vector<double> layer_a((units + 1) * 3), layer_b(layer_a.size());
          for (auto [loaded, layer] : {std::pair{&a, &layer_a}, std::pair{&b, &layer_b}}) {
            loaded->rows->compute_residuals(true);
            loaded->rows->set_view({.rows = {},
                                    .features = all_of(5),
                                    .units = units,
                                    .objective = StepObjective::projected,
                                    .alpha = 0.5});
            loaded->rows->project(std::span(p).first(block.hidden_size()), *layer);
          }
          // The condition number (up to about 100 here) amplifies the rounding of the activations.
          expect_close(layer_a, layer_b, 5e-5, "output layer");
        }
  });
}

TEST(BackendContract, SwitchesTheObjectiveOfAView) {
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    const ProblemShape shape{.rows = 700, .features = 9, .outputs = 2, .loss = "squared", .activation = "logistic"};
    BackendFixture loaded(shape, true, backend.name);
    compare_after_switch(loaded, shape, {{1, 4, 7, 300, 601}, {0, 3, 8}, 3, StepObjective::squared_error});
    compare_after_switch(loaded, shape, {{}, {0, 1, 2, 5}, 2, StepObjective::squared_error});
  }
}

}  // namespace
}  // namespace accrete::backend::backend_projection_test
