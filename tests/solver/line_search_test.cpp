#include "accrete/solver/line_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace accrete::solver::line_search_test {
namespace {

using Curve = std::function<std::pair<double, double>(double)>;  // step -> value, slope

struct SearchResult {
  LineSearch::Status status;
  double step, value, slope;
  std::size_t trials;
};

SearchResult search(const Curve& f, double first, double noise = 0.0) {
  const auto [value, slope] = f(0.0);
  EXPECT_LT(slope, 0.0) << "not a descent direction: the test is wrong";
  LineSearch s;
  s.begin(value, slope, first, noise);
  for (;;) {
    const double at = s.step();
    EXPECT_GT(at, 0.0);
    const auto [v, d] = f(at);
    const auto status = s.tell(v, d);
    if (status != LineSearch::Status::evaluate || s.trials() > 1000)
      return {.status = status, .step = at, .value = v, .slope = d, .trials = s.trials()};
  }
}

/// Adds the derivative by central differences.
Curve numeric(std::function<double(double)> f) {
  return [f](double a) {
    constexpr double h = 1e-7;
    return std::pair{f(a), (f(a + h) - f(a - h)) / (2 * h)};
  };
}

/// Moré and Thuente (1994), Line search algorithms with guaranteed sufficient decrease, section 5.
std::vector<std::pair<const char*, Curve>> more_thuente() {
  const auto yanai = [](double b1, double b2) {
    const auto gamma = [](double b) { return std::sqrt(1 + b * b) - b; };
    return numeric([=](double a) {
      return gamma(b1) * std::sqrt((1 - a) * (1 - a) + b2 * b2) + gamma(b2) * std::sqrt(a * a + b1 * b1);
    });
  };
  const Curve one = [](double a) {
    const double b = 2.0, d = a * a + b;
    return std::pair{-a / d, (a * a - b) / (d * d)};
  };
  const Curve two = [](double a) {
    const double b = a + 0.004;
    return std::pair{std::pow(b, 5) - 2 * std::pow(b, 4), 5 * std::pow(b, 4) - 8 * std::pow(b, 3)};
  };
  const Curve three = [](double a) {
    constexpr double beta = 0.01, l = 39, pi = 3.14159265358979323846;
    double base = std::abs(a - 1), slope = a < 1 ? -1 : 1;
    if (base < beta) base = (a - 1) * (a - 1) / (2 * beta) + beta / 2, slope = (a - 1) / beta;
    const double swing = 2 * (1 - beta) / (l * pi) * std::sin(l * pi / 2 * a);
    return std::pair{base + swing, slope + (1 - beta) * std::cos(l * pi / 2 * a)};
  };
  return {{"one", one},
          {"two", two},
          {"three", three},
          {"four", yanai(0.001, 0.001)},
          {"five", yanai(0.01, 0.001)},
          {"six", yanai(0.001, 0.01)}};
}

std::vector<std::pair<const char*, Curve>> simple_curves() {
  return {
      {"parabola",
       [](double a) {
         return std::pair{(a - 1) * (a - 1), 2 * (a - 1)};
       }},
      {"far parabola",
       [](double a) {
         return std::pair{(a - 500) * (a - 500), 2 * (a - 500)};
       }},
      {"near parabola",
       [](double a) {
         return std::pair{(a - 1e-4) * (a - 1e-4), 2 * (a - 1e-4)};
       }},
      {"cosh",
       [](double a) {
         return std::pair{std::cosh(a - 3), std::sinh(a - 3)};
       }},
      {"logistic tail",
       [](double a) {
         return std::pair{std::log1p(std::exp(-a)) + 0.01 * a, 0.01 - 1 / (1 + std::exp(a))};
       }},
      {"quartic",
       [](double a) {
         return std::pair{std::pow(a - 2, 4), 4 * std::pow(a - 2, 3)};
       }},
  };
}

void expect_wolfe(const Curve& f, const SearchResult& found) {
  const auto [value, slope] = f(0.0);
  ASSERT_EQ(found.status, LineSearch::Status::accept);
  EXPECT_LE(found.value, value + 1e-4 * found.step * slope);
  EXPECT_LE(std::abs(found.slope), 0.9 * std::abs(slope));
  EXPECT_LE(found.trials, 21u);
}

TEST(LineSearch, AcceptsOnlyStrongWolfePoints) {
  for (const auto& curves : {more_thuente(), simple_curves()})
    for (const auto& [name, curve] : curves) {
      for (double first : {1e-3, 1e-1, 1.0, 1e1, 1e3}) {
        SCOPED_TRACE(testing::Message() << name << " from " << first);
        expect_wolfe(curve, search(curve, first));
      }
    }
}

TEST(LineSearch, BacksOutOfUndefinedRegions) {
  // f = -ln(2 - a) - 1.6 a is undefined for a >= 2 and has its minimum below.
  const Curve wall = [](double a) {
    if (a >= 2) return std::pair{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    return std::pair{-std::log(2 - a) - 1.6 * a, 1 / (2 - a) - 1.6};
  };
  for (double first : {0.1, 1.0, 2.0, 50.0, 1e6}) {
    SCOPED_TRACE(first);
    expect_wolfe(wall, search(wall, first));
  }
}

TEST(LineSearch, FailsIfNoStepLowersTheValue) {
  // The slope is negative, but the value never decreases.
  const SearchResult found = search([](double a) { return std::pair{a > 0 ? 1.0 : 0.0, -1.0}; }, 1.0);
  EXPECT_EQ(found.status, LineSearch::Status::failed);
  EXPECT_LE(found.trials, 21u);
}

TEST(LineSearch, FailsIfOnlyTheStartIsDefined) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const SearchResult found = search([=](double a) { return a > 0 ? std::pair{nan, nan} : std::pair{0.0, -1.0}; }, 1.0);
  EXPECT_EQ(found.status, LineSearch::Status::failed);
  EXPECT_LE(found.trials, 21u);
}

TEST(LineSearch, AcceptsTheBestTrialOfAnUnboundedDescent) {
  const SearchResult found = search([](double a) { return std::pair{-a, -1.0}; }, 1.0);
  EXPECT_EQ(found.status, LineSearch::Status::accept);
  EXPECT_LT(found.value, -1e3);
  EXPECT_LE(found.trials, 21u);
}

TEST(LineSearch, AcceptsAStepWithinTheNoise) {
  // As near the end of a fit: the slope condition holds, the change of the value is within the noise.
  const Curve noisy = [](double a) { return std::pair{1.0 + (a > 0 ? 1e-12 : 0.0), 1e-9 * (a - 1)}; };
  EXPECT_EQ(search(noisy, 1.0, 1e-9).status, LineSearch::Status::accept);
  EXPECT_EQ(search(noisy, 1.0, 1e-9).trials, 1u);
  EXPECT_EQ(search(noisy, 1.0, 0.0).status, LineSearch::Status::failed);
}

TEST(LineSearch, DoesNotAcceptAPointAboveTheBestTrial) {
  LineSearch s;
  s.begin(0.0, -1.0, 1.0, 0.0);
  ASSERT_EQ(s.tell(-0.5, -0.95), LineSearch::Status::evaluate);
  // Flat and low enough for both Wolfe conditions, but above the first trial.
  EXPECT_EQ(s.tell(-0.3, 0.0), LineSearch::Status::evaluate);
}

TEST(LineSearch, EndsInABracketThatIsWithinTheNoise) {
  LineSearch s;
  s.begin(0.0, -1.0, 1e-9, 1e-6);
  EXPECT_EQ(s.tell(1.0, 1.0), LineSearch::Status::failed);
}

TEST(LineSearch, FailsIfTheDecreaseIsLostInRounding) {
  // Every trial is as good as the start, so the search must not settle on one.
  const SearchResult found = search([](double) { return std::pair{1.0, -1e-18}; }, 1.0);
  EXPECT_EQ(found.status, LineSearch::Status::failed);
  EXPECT_LE(found.trials, 21u);
}

TEST(LineSearch, NeedsFewTrialsOnAParabola) {
  const Curve parabola = [](double a) { return std::pair{(a - 1) * (a - 1), 2 * (a - 1)}; };
  EXPECT_LE(search(parabola, 1e-2).trials, 3u);
  EXPECT_LE(search(parabola, 1e2).trials, 3u);
}

}  // namespace
}  // namespace accrete::solver::line_search_test
