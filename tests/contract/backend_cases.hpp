#pragma once
// Evaluations and comparisons shared by the contract tests of the backends.

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "tests/backend/random_rows.hpp"

namespace accrete::backend {

inline double largest(std::span<const double> values) {
  double result = 0.0;
  for (double v : values) result = std::max(result, std::abs(v));
  return result;
}

/// Tolerance relative to the largest wanted entry.
inline void expect_close(std::span<const double> found, std::span<const double> wanted, double tolerance,
                         const char* what) {
  ASSERT_EQ(found.size(), wanted.size());
  const double scale = 1e-3 + largest(wanted);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], tolerance * scale) << what << ", number " << i;
}

/// Numbers of outputs to test with a loss.
inline std::vector<std::size_t> outputs_of(const std::string& loss) {
  if (loss == "softmax") return {3, 10};
  if (loss == "logistic") return {1};
  return {1, 3};
}

/// A StepView that owns its lists.
struct TestView {
  std::vector<std::size_t> rows, features;
  std::size_t units;
  StepObjective objective;
};

/// The gradient, then the value.
inline std::vector<double> evaluate(BackendFixture& loaded, const TestView& view, std::span<const double> parameters) {
  loaded.rows->compute_residuals(view.units % 2 == 1);
  loaded.rows->set_view(
      {.rows = view.rows, .features = view.features, .units = view.units, .objective = view.objective, .alpha = 0.3});
  std::vector<double> result(parameters.size() + 1);
  result.back() = loaded.rows->evaluate(parameters, std::span(result).first(parameters.size()));
  return result;
}

/// Calls f(backend name) for each backend except the reference.
template <class F>
void for_each_backend(F f) {
  for (const Backend& backend : backends())
    if (std::string_view(backend.name) != "reference") {
      SCOPED_TRACE(backend.name);
      f(backend.name);
    }
}

}  // namespace accrete::backend
