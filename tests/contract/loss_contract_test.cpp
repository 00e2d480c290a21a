// What every loss of the list owes its users, written once.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::loss {
namespace {

core::Rng rng_for(std::uint64_t step) {
  return {7, step, core::Purpose::generator};
}

template <class F>
void for_each_loss(F f) {
  for (std::size_t i = 0; i < All::size; ++i) {
    SCOPED_TRACE(All::names[i]);
    All::visit(i, f);
  }
}

constexpr bool joint(Link link) {
  return link == Link::softmax;
}

/// A target the loss allows: a class, a count, a number.
template <class L>
double draw_target(core::Rng& rng, std::size_t outputs) {
  if (joint(L::link)) return static_cast<double>(rng.below(outputs));
  if (L::classes) return static_cast<double>(rng.below(2));
  if (L::link == Link::exponential) return static_cast<double>(rng.below(6));
  return rng.normal();
}

/// One row with its targets and scores.
template <class L, class T = double>
struct Row {
  std::vector<T> targets, scores;
  Settings settings{0.7, 0.3};

  Row(core::Rng& rng, std::size_t outputs) : targets(joint(L::link) ? 1 : outputs), scores(outputs) {
    for (T& y : targets) y = static_cast<T>(draw_target<L>(rng, outputs));
    for (T& f : scores) f = static_cast<T>(2.0 * rng.normal());
  }
  Run<T> run() const { return {1, 1, scores.size(), targets.data(), scores.data(), settings}; }
  T value() const {
    T v;
    L::values(run(), &v);
    return v;
  }
  std::vector<T> derivatives() const {
    std::vector<T> d(scores.size());
    L::derivatives(run(), d.data());
    return d;
  }
  std::vector<T> curvatures() const {
    std::vector<T> c(scores.size());
    L::curvatures(run(), c.data());
    return c;
  }
  /// A kink of the loss lies within h of a score: differences across it say nothing.
  bool kinked(double h) const {
    if (L::exact_curvature) return false;
    for (std::size_t k = 0; k < scores.size(); ++k)
      for (double kink : {0.0, settings.huber_delta})
        if (std::abs(std::abs(targets[k] - scores[k]) - kink) < 2 * h) return true;
    return false;
  }
};

constexpr double h = 1e-5;

TEST(LossContract, derivative_is_that_of_the_value) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (std::size_t trial = 0; trial < 400; ++trial) {
      core::Rng rng = rng_for(trial);
      Row<L> row(rng, 1 + trial % 4);
      if (row.kinked(h)) continue;
      const auto d = row.derivatives();
      for (std::size_t k = 0; k < d.size(); ++k) {
        const double at = row.scores[k];
        row.scores[k] = at + h;
        const double up = row.value();
        row.scores[k] = at - h;
        const double down = row.value();
        row.scores[k] = at;
        // Differences err by h^2 L'''/6 and by rounding of L over h.
        EXPECT_NEAR(d[k], (up - down) / (2 * h), 1e-8 * (1 + std::abs(up))) << "trial " << trial << " output " << k;
      }
    }
  });
}

TEST(LossContract, curvature_is_the_second_derivative_or_bounds_it) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (std::size_t trial = 0; trial < 400; ++trial) {
      core::Rng rng = rng_for(trial);
      Row<L> row(rng, 1 + trial % 4);
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
        } else if (std::string_view(L::name) != "quantile") {  // whose slope jumps: nothing bounds it
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

/// Float runs against the same formulas in double on the same (rounded) inputs, row by row.
template <class L>
void compare_runs(std::size_t count, std::size_t stride, std::size_t outputs) {
  core::Rng rng = rng_for(count * 10 + outputs);
  const std::size_t columns = joint(L::link) ? 1 : outputs;
  constexpr float untouched = -12345.0f;
  std::vector<float> targets(columns * stride), scores(outputs * stride);
  std::vector<float> value(stride, untouched), d(outputs * stride, untouched), c(outputs * stride, untouched);
  std::vector<double> value_(value.begin(), value.end()), d_(d.begin(), d.end()), c_(c.begin(), c.end());
  for (float& y : targets) y = static_cast<float>(draw_target<L>(rng, outputs));
  for (float& f : scores) f = static_cast<float>(2.0 * rng.normal());
  const Settings settings{0.5, 0.25};
  const Run<float> run{count, stride, outputs, targets.data(), scores.data(), settings};
  L::values(run, value.data()), L::derivatives(run, d.data()), L::curvatures(run, c.data());
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<double> y, f, dr(outputs), cr(outputs);
    for (std::size_t k = 0; k < columns; ++k) y.push_back(targets[k * stride + r]);
    for (std::size_t k = 0; k < outputs; ++k) f.push_back(scores[k * stride + r]);
    const Run<double> one{1, 1, outputs, y.data(), f.data(), settings};
    L::values(one, &value_[r]), L::derivatives(one, dr.data()), L::curvatures(one, cr.data());
    for (std::size_t k = 0; k < outputs; ++k) d_[k * stride + r] = dr[k], c_[k * stride + r] = cr[k];
  }
  // A handful of roundings of 6e-8 each on numbers of the size of the scores (up to about 8) and exp of them.
  expect_close(value, value_, 2e-6, "value");
  expect_close(d, d_, 1e-6, "derivative");
  expect_close(c, c_, 1e-6, "curvature");
  std::fill(c.begin(), c.end(), untouched);
  L::curvatures_beside(run, d.data(), c.data());
  expect_close(c, c_, 1e-6, "curvature beside the derivative");
  std::fill(value.begin(), value.end(), untouched), std::fill(d.begin(), d.end(), untouched);
  L::values_and_derivatives(run, value.data(), d.data());
  expect_close(value, value_, 2e-6, "value, both at once");
  expect_close(d, d_, 1e-6, "derivative, both at once");
}

TEST(LossContract, float_runs_agree_with_double_rows_and_touch_nothing_else) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (std::size_t count : {1, 2, 63, 64, 65, 127, 129, 200})
      for (std::size_t outputs : {1, 2, 3, 4}) {
        SCOPED_TRACE(testing::Message() << count << " rows, " << outputs << " outputs");
        compare_runs<L>(count, count + 7, outputs);
      }
  });
}

TEST(LossContract, huge_scores_stay_finite_in_float) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    for (float size : {1e4f, -1e4f, 1e30f, -1e30f})
      for (std::size_t outputs : {1, 3})
        for (std::size_t which = 0; which < outputs; ++which) {
          core::Rng rng = rng_for(outputs);
          Row<L, float> row(rng, outputs);
          row.scores[which] = size;
          SCOPED_TRACE(testing::Message() << "score " << size << ", output " << which << " of " << outputs);
          for (float d : row.derivatives()) EXPECT_TRUE(std::isfinite(d)) << d;
          for (float c : row.curvatures()) EXPECT_TRUE(std::isfinite(c) && c >= 0) << c;
          const float value = row.value();
          EXPECT_FALSE(std::isnan(value));
          // The square of 1e30 is no float; infinity then says so, and a line search turns back.
          if (std::abs(size) < 1e19f || std::string_view(L::name) != "squared") {
            EXPECT_TRUE(std::isfinite(value)) << value;
          }
        }
  });
}

double golden_section(const std::function<double(double)>& f, double low, double high) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  double a = high - ratio * (high - low), b = low + ratio * (high - low), fa = f(a), fb = f(b);
  for (int i = 0; i < 200; ++i) {
    if (fa < fb)
      high = b, b = a, fb = fa, a = high - ratio * (high - low), fa = f(a);
    else
      low = a, a = b, fa = fb, b = low + ratio * (high - low), fb = f(b);
  }
  return 0.5 * (low + high);
}

TEST(LossContract, start_minimises_the_weighted_mean) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    if constexpr (joint(L::link))
      return;  // one number per class; see softmax_starts_from_the_priors
    else
      for (std::size_t trial = 0; trial < 50; ++trial) {
        core::Rng rng = rng_for(trial);
        const Settings settings{0.3 + rng.uniform(), 0.05 + 0.9 * rng.uniform()};
        std::vector<double> y{0.0, 1.0}, w{0.5, 1.5};
        for (std::size_t i = 0; i < 5 + 10 * trial; ++i) {
          y.push_back(draw_target<L>(rng, 1));
          w.push_back(rng.below(4) == 0 ? 0.0 : 2.0 * rng.uniform());
        }
        const auto mean = [&](double f) {
          double sum = 0.0;
          for (std::size_t i = 0; i < y.size(); ++i) sum += w[i] * L::value(y[i], f, settings);
          return sum;
        };
        const double start = L::start({y, w}, settings);
        ASSERT_TRUE(std::isfinite(start));
        const double rounding = 1e-14 * static_cast<double>(y.size());
        for (double aside : {-0.1, -1e-4, 1e-4, 0.1})
          EXPECT_LE(mean(start), mean(start + aside) + rounding) << "trial " << trial << " aside " << aside;
        EXPECT_LE(mean(start), mean(golden_section(mean, -10.0, 10.0)) + rounding) << "trial " << trial;
      }
  });
}

TEST(LossContract, softmax_starts_from_the_priors) {
  const std::vector<double> indicator{1, 0, 0, 1}, weights{1, 2, 3, 4};
  EXPECT_NEAR(Softmax::start({indicator, weights}, {}), std::log(0.5), 1e-15);
}

TEST(LossContract, start_is_finite_where_one_side_is_missing) {
  const std::vector<double> ones(3, 1.0), zeros(3, 0.0);
  for_each_loss([&](auto l) {
    using L = decltype(l);
    EXPECT_TRUE(std::isfinite(L::start({ones, ones}, {})));
    EXPECT_TRUE(std::isfinite(L::start({zeros, ones}, {})));
  });
}

}  // namespace
}  // namespace accrete::loss
