// Compares every backend with the reference, and the reference with finite differences.
//
// Tolerances: a float backend rounds each activation, output and error to a relative 1e-7 (a few roundings each), and a
// gradient entry is a sum of their products over rows, with an error of about 1e-7 times the sum of magnitudes. Without
// cancellation that sum is the gradient itself. So the tolerance of gradients is 2e-6 of the largest entry (sums of up
// to 64 floats per lane add some rounding), that of values 2e-6 of 1 + value. A hidden unit's sum over f features adds
// rounding that grows with sqrt(f). Projected gradients solve a linear system and lose another digit.

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/data/feature_memory.hpp"
#include "tests/contract/backend_cases.hpp"

namespace accrete::backend::backend_contract_test {
namespace {

void compare_evaluations(BackendFixture& found, BackendFixture& wanted, const ProblemShape& shape,
                         const TestView& view) {
  SCOPED_TRACE(testing::Message() << shape.loss << " " << shape.activation << " " << shape.rows << "x" << shape.features
                                  << " outputs " << shape.outputs << " units " << view.units << " objective "
                                  << static_cast<int>(view.objective) << " drawn rows " << view.rows.size());
  const BlockShape block{view.features.size(), view.units, shape.outputs};
  auto p = random_parameters(block, shape.rows + view.units);
  if (view.objective == StepObjective::projected) p.resize(block.hidden_size());
  const auto a = evaluate(found, view, p), b = evaluate(wanted, view, p);
  const double rounding = 2e-6 + 2e-7 * std::sqrt(static_cast<double>(view.features.size()));
  expect_close(std::span(a).first(p.size()), std::span(b).first(p.size()),
               view.objective == StepObjective::projected ? 5 * rounding : rounding, "gradient");
  EXPECT_NEAR(a.back(), b.back(), rounding * (1 + std::abs(b.back())));
}

void compare_shape(const char* backend, const ProblemShape& shape, bool weighted, std::span<const std::size_t> units) {
  BackendFixture found(shape, weighted, backend), wanted(shape, weighted, "reference");
  for (std::size_t j : units)
    for (StepObjective objective : {StepObjective::squared_error, StepObjective::loss, StepObjective::projected})
      for (bool drawn : {false, true}) {
        TestView view{{}, all_of(shape.features), j, objective};
        if (drawn) view.rows = some_of(shape.rows, 3), view.features = some_of(shape.features, 4);
        // The drawn rows might all have weight 0; the first row never has.
        if (drawn && (view.rows.empty() || view.rows[0] != 0)) view.rows.insert(view.rows.begin(), 0);
        compare_evaluations(found, wanted, shape, view);
        if (testing::Test::HasFatalFailure()) return;
      }
}

TEST(BackendContract, EvaluatesLikeTheReferenceForEveryLossAndActivation) {
  const std::vector<std::size_t> units{1, 2, 3, 4, 5};
  for_each_backend([&](const char* backend) {
    for (const char* loss : loss::All::names)
      for (const char* activation : activation::All::names)
        for (std::size_t outputs : outputs_of(loss))
          compare_shape(backend,
                        {.rows = 65, .features = 5, .outputs = outputs, .loss = loss, .activation = activation},
                        outputs % 2 == 1, units);
  });
}

TEST(BackendContract, EvaluatesLikeTheReferenceForEverySize) {
  const std::vector<std::size_t> units{1, 4};
  for_each_backend([&](const char* backend) {
    for (std::size_t rows : {1, 2, 63, 64, 65, 257, 1030})
      for (std::size_t features : {1, 2, 5, 33, 300}) {
        if (rows * features > 100'000) continue;
        compare_shape(backend,
                      {.rows = rows, .features = features, .outputs = 1, .loss = "logistic", .activation = "tanh"},
                      false, units);
        compare_shape(backend,
                      {.rows = rows, .features = features, .outputs = 3, .loss = "softmax", .activation = "relu"}, true,
                      units);
      }
  });
}

TEST(BackendContract, EvaluatesLikeTheReferenceForEveryNumberOfUnits) {
  // The kernels process blocks of inputs, units and rows; the sizes cover every remainder.
  const std::vector<std::size_t> units{1, 2, 3, 4, 5, 6, 7, 8, 9};
  for_each_backend([&](const char* backend) {
    for (std::size_t features : {10, 41, 45, 50})
      for (std::size_t outputs : {1, 2, 5}) {
        compare_shape(backend, {700, features, outputs}, false, units);
        compare_shape(backend,
                      {.rows = 300, .features = features, .outputs = outputs, .loss = "squared", .activation = "tanh"},
                      true, units);
      }
  });
}

TEST(BackendContract, EvaluatesLikeTheReferenceBeyondTheCacheSize) {
  const ProblemShape shape{29'000, 300};
  ASSERT_GT(shape.rows * shape.features * sizeof(float), data::shared_cache_bytes);
  for_each_backend([&](const char* backend) {
    BackendFixture found(shape, false, backend), wanted(shape, false, "reference");
    for (std::size_t units : {1, 2, 4})
      for (const auto& features : {all_of(shape.features), some_of(shape.features, 4)})
        compare_evaluations(found, wanted, shape, {{}, features, units, StepObjective::squared_error});
  });
}

TEST(BackendContract, EvaluatesLikeTheReferenceWithoutStoredRamps) {
  const std::vector<std::size_t> units{1, 3, 4};
  for_each_backend([&](const char* backend) {
    for (std::size_t rows : {1, 65, 257, 1030})
      for (std::size_t features : {1, 5, 33, 150}) {
        if (rows * features > 40'000) continue;
        compare_shape(backend,
                      {.rows = rows,
                       .features = features,
                       .outputs = 1,
                       .loss = "logistic",
                       .activation = "tanh",
                       .compact = true},
                      false, units);
        compare_shape(backend,
                      {.rows = rows,
                       .features = features,
                       .outputs = 3,
                       .loss = "softmax",
                       .activation = "relu",
                       .compact = true},
                      true, units);
      }
  });
}

TEST(BackendContract, ReturnsOnlyThePenaltyForRowsWithoutWeight) {
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    const ProblemShape shape{.rows = 65, .features = 3, .outputs = 1, .loss = "logistic", .activation = "tanh"};
    BackendFixture loaded(shape, true, backend.name);
    TestView view{{}, all_of(3), 2, StepObjective::loss};
    for (std::size_t r = 0; r < 65; ++r)
      if (loaded.data.weights[r] == 0.0) view.rows.push_back(r);
    ASSERT_GT(view.rows.size(), 3u);
    const BlockShape block{3, 2, 1};
    const auto p = random_parameters(block, 1);
    std::vector<double> penalty(p.size() + 1);
    penalty.back() =
        add_penalty(block, 0.3 / (0.5 * static_cast<double>(view.rows.size())), p, std::span(penalty).first(p.size()));
    const auto found = evaluate(loaded, view, p);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_DOUBLE_EQ(found[i], penalty[i]) << i;
    view.objective = StepObjective::projected;
    for (double x : evaluate(loaded, view, std::span(p).first(block.hidden_size()))) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(BackendContract, ReferenceGradientsMatchFiniteDifferences) {
  for (const char* loss : loss::All::names)
    for (const char* activation : activation::All::names)
      for (std::size_t units = 1; units <= 5; ++units)
        for (StepObjective objective : {StepObjective::squared_error, StepObjective::loss, StepObjective::projected}) {
          if (std::string_view(loss) == "quantile" && objective == StepObjective::loss) continue;  // not differentiable
          const std::size_t outputs = outputs_of(loss).back() == 10 ? 4 : outputs_of(loss).back();
          const ProblemShape shape{
              .rows = 23, .features = 3, .outputs = outputs, .loss = loss, .activation = activation};
          SCOPED_TRACE(testing::Message() << loss << " " << activation << " units " << units << " objective "
                                          << static_cast<int>(objective));
          BackendFixture loaded(shape, true, "reference");
          const BlockShape block{3, units, outputs};
          auto p = random_parameters(block, 11 + units);
          if (objective == StepObjective::projected) p.resize(block.hidden_size());
          const TestView view{{}, all_of(3), units, objective};
          const auto at = evaluate(loaded, view, p);
          constexpr double h = 1e-6;
          for (std::size_t i = 0; i < p.size(); ++i) {
            const double center = p[i];
            p[i] = center + h;
            const double up = evaluate(loaded, view, p).back();
            p[i] = center - h;
            const double down = evaluate(loaded, view, p).back();
            p[i] = center;
            ASSERT_NEAR(at[i], (up - down) / (2 * h), 2e-8 * (1 + std::abs(at[i]) + std::abs(at.back())))
                << "parameter " << i;
          }
        }
}

}  // namespace
}  // namespace accrete::backend::backend_contract_test
