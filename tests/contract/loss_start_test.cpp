// The start score of every loss in the list.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/contract/loss_cases.hpp"

namespace accrete::loss::loss_start_test {
namespace {

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

TEST(LossContract, StartMinimisesTheWeightedMean) {
  for_each_loss([](auto l) {
    using L = decltype(l);
    if constexpr (joint(L::link))
      return;  // one number per class; see SoftmaxStartsFromThePriors
    else
      for (std::size_t trial = 0; trial < 50; ++trial) {
        core::Rng rng = rng_for(trial);
        const LossSettings settings{0.3 + rng.uniform(), 0.05 + 0.9 * rng.uniform()};
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

TEST(LossContract, SoftmaxStartsFromThePriors) {
  const std::vector<double> indicator{1, 0, 0, 1}, weights{1, 2, 3, 4};
  EXPECT_NEAR(Softmax::start({indicator, weights}, {}), std::log(0.5), 1e-15);
}

TEST(LossContract, StartIsFiniteForASingleClass) {
  const std::vector<double> ones(3, 1.0), zeros(3, 0.0);
  for_each_loss([&](auto l) {
    using L = decltype(l);
    EXPECT_TRUE(std::isfinite(L::start({ones, ones}, {})));
    EXPECT_TRUE(std::isfinite(L::start({zeros, ones}, {})));
  });
}

}  // namespace
}  // namespace accrete::loss::loss_start_test
