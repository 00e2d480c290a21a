// Property tests of every loss in the list.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/contract/loss_cases.hpp"

namespace accrete::loss::loss_contract_test {
namespace {

/// One row with its targets and scores.
template <class L, class T = double>
struct LossRow {
  std::vector<T> targets, scores;
  LossSettings settings{0.7, 0.3};

  LossRow(core::Rng& rng, std::size_t outputs) : targets(joint(L::link) ? 1 : outputs), scores(outputs) {
    for (T& y : targets) y = static_cast<T>(draw_target<L>(rng, outputs));
    for (T& f : scores) f = static_cast<T>(2.0 * rng.normal());
  }
  LossRows<T> rows() const {
    return {.count = 1,
            .stride = 1,
            .outputs = scores.size(),
            .targets = targets.data(),
            .scores = scores.data(),
            .settings = settings};
  }
  T value() const {
    T v;
    L::values(rows(), &v);
    return v;
  }
  std::vector<T> derivatives() const {
    std::vector<T> d(scores.size());
    L::derivatives(rows(), d.data());
    return d;
  }
  std::vector<T> curvatures() const {
    std::vector<T> c(scores.size());
    L::curvatures(rows(), c.data());
    return c;
  }
  /// True if a kink of the loss lies within h of a score, where finite differences are invalid.
  bool kinked(double h) const {
    if (L::exact_curvature) return false;
    for (std::size_t k = 0; k < scores.size(); ++k)
      for (double kink : {0.0, settings.huber_delta})
        if (std::abs(std::abs(targets[k] - scores[k]) - kink) < 2 * h) return true;
    return false;
  }
};

constexpr double h = 1e-5;

TEST(LossContract, DerivativeMatchesFiniteDifferences) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (std::size_t trial = 0; trial < 400; ++trial) {
      core::Rng rng = rng_for(trial);
      LossRow<L> row(rng, 1 + trial % 4);
      if (row.kinked(h)) continue;
      const auto d = row.derivatives();
      for (std::size_t k = 0; k < d.size(); ++k) {
        const double at = row.scores[k];
        row.scores[k] = at + h;
        const double up = row.value();
        row.scores[k] = at - h;
        const double down = row.value();
        row.scores[k] = at;
        // Error of the difference: h^2 L'''/6, plus the rounding of L divided by h.
        EXPECT_NEAR(d[k], (up - down) / (2 * h), 1e-8 * (1 + std::abs(up))) << "trial " << trial << " output " << k;
      }
    }
  });
}

TEST(LossContract, CurvatureIsTheSecondDerivativeOrABound) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (std::size_t trial = 0; trial < 400; ++trial) {
      core::Rng rng = rng_for(trial);
      LossRow<L> row(rng, 1 + trial % 4);
      const auto c = row.curvatures();
      for (std::size_t k = 0; k < c.size(); ++k) {
        const double at = row.scores[k], step = L::exact_curvature ? h : 3.0 * rng.normal();
        row.scores[k] = at + step;
        const double up = row.derivatives()[k], value_up = row.value();
        row.scores[k] = at - step;
        const double down = row.derivatives()[k];
        row.scores[k] = at;
        if (L::exact_curvature) {
          EXPECT_NEAR(c[k], (up - down) / (2 * h), 1e-8 * (1 + c[k])) << "trial " << trial << " output " << k;
        } else if (std::string_view(L::name) != "quantile") {  // its derivative jumps, so no curvature is a bound
          EXPECT_LE(value_up, row.value() + row.derivatives()[k] * step + 0.5 * c[k] * step * step + 1e-12);
        }
        EXPECT_GE(c[k], 0.0);
      }
    }
  });
}

template <class T>
void expect_close(const std::vector<float>& found, const std::vector<T>& wanted, double tolerance, const char* what) {
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], tolerance * (1 + std::abs(wanted[i]))) << what << " at " << i;
}

/// Compares float rows with the same formulas in double on the same inputs, row by row.
template <class L>
void compare_with_double(std::size_t count, std::size_t stride, std::size_t outputs) {
  core::Rng rng = rng_for(count * 10 + outputs);
  const std::size_t columns = joint(L::link) ? 1 : outputs;
  constexpr float untouched = -12345.0f;
  std::vector<float> targets(columns * stride), scores(outputs * stride);
  std::vector<float> value(stride, untouched), d(outputs * stride, untouched), c(outputs * stride, untouched);
  std::vector<double> value_(value.begin(), value.end()), d_(d.begin(), d.end()), c_(c.begin(), c.end());
  for (float& y : targets) y = static_cast<float>(draw_target<L>(rng, outputs));
  for (float& f : scores) f = static_cast<float>(2.0 * rng.normal());
  const LossSettings settings{0.5, 0.25};
  const LossRows<float> rows{.count = count,
                             .stride = stride,
                             .outputs = outputs,
                             .targets = targets.data(),
                             .scores = scores.data(),
                             .settings = settings};
  L::values(rows, value.data()), L::derivatives(rows, d.data()), L::curvatures(rows, c.data());
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<double> y, f, dr(outputs), cr(outputs);
    for (std::size_t k = 0; k < columns; ++k) y.push_back(targets[k * stride + r]);
    for (std::size_t k = 0; k < outputs; ++k) f.push_back(scores[k * stride + r]);
    const LossRows<double> one{
        .count = 1, .stride = 1, .outputs = outputs, .targets = y.data(), .scores = f.data(), .settings = settings};
    L::values(one, &value_[r]), L::derivatives(one, dr.data()), L::curvatures(one, cr.data());
    for (std::size_t k = 0; k < outputs; ++k) d_[k * stride + r] = dr[k], c_[k * stride + r] = cr[k];
  }
  // A few roundings of 6e-8 each on scores of up to about 8 and their exponentials.
  expect_close(value, value_, 2e-6, "value");
  expect_close(d, d_, 1e-6, "derivative");
  expect_close(c, c_, 1e-6, "curvature");
  std::fill(c.begin(), c.end(), untouched);
  L::curvatures_from_derivatives(rows, d.data(), c.data());
  expect_close(c, c_, 1e-6, "curvature from the derivative");
  std::fill(value.begin(), value.end(), untouched), std::fill(d.begin(), d.end(), untouched);
  L::values_and_derivatives(rows, value.data(), d.data());
  expect_close(value, value_, 2e-6, "value of values_and_derivatives");
  expect_close(d, d_, 1e-6, "derivative of values_and_derivatives");
}

TEST(LossContract, FloatAgreesWithDoubleAndWritesNoPadding) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (std::size_t count : {1, 2, 63, 64, 65, 127, 129, 200})
      for (std::size_t outputs : {1, 2, 3, 4}) {
        SCOPED_TRACE(testing::Message() << count << " rows, " << outputs << " outputs");
        compare_with_double<L>(count, count + 7, outputs);
      }
  });
}

TEST(LossContract, StaysFiniteForHugeScoresInFloat) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (float size : {1e4f, -1e4f, 1e30f, -1e30f})
      for (std::size_t outputs : {1, 3})
        for (std::size_t which = 0; which < outputs; ++which) {
          core::Rng rng = rng_for(outputs);
          LossRow<L, float> row(rng, outputs);
          row.scores[which] = size;
          SCOPED_TRACE(testing::Message() << "score " << size << ", output " << which << " of " << outputs);
          for (float d : row.derivatives()) EXPECT_TRUE(std::isfinite(d)) << d;
          for (float c : row.curvatures()) EXPECT_TRUE(std::isfinite(c) && c >= 0) << c;
          const float value = row.value();
          EXPECT_FALSE(std::isnan(value));
          // The square of 1e30 overflows a float; a line search rejects the infinity.
          if (std::abs(size) < 1e19f || !std::is_base_of_v<Squared, L>) {
            EXPECT_TRUE(std::isfinite(value)) << value;
          }
        }
  });
}

}  // namespace
}  // namespace accrete::loss::loss_contract_test
