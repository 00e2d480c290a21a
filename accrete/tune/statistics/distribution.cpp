#include "accrete/tune/statistics/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "accrete/core/error.hpp"

namespace accrete::tune {
namespace {

constexpr double enough = 1e-16;  // relative size of the first omitted term
constexpr double nearly_zero = 1e-300;
constexpr int max_terms = 10'000;

/// A continued fraction b0 + a1/(b1 + a2/(b2 + ...)) by Lentz's method; next(i, a, b) gives the i-th pair, i >= 1.
template <class Next>
double continued_fraction(double b0, Next&& next) {
  double value = b0 == 0.0 ? nearly_zero : b0, c = value, d = 0.0;
  for (int i = 1; i < max_terms; ++i) {
    double a = 0.0, b = 0.0;
    next(i, a, b);
    d = b + a * d;
    c = b + a / c;
    if (d == 0.0) d = nearly_zero;
    if (c == 0.0) c = nearly_zero;
    d = 1.0 / d;
    value *= c * d;
    if (std::abs(c * d - 1.0) < enough) break;
  }
  return value;
}

/// Upper regularised incomplete gamma function.
double upper_incomplete_gamma(double a, double x) {
  if (!(x > 0.0)) return 1.0;
  const double scale = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1.0) {
    double term = 1.0 / a, sum = term;
    for (double n = a + 1.0; std::abs(term) > enough * sum; n += 1.0) sum += term *= x / n;
    return 1.0 - scale * sum;
  }
  return scale / continued_fraction(x + 1.0 - a, [&](int i, double& p, double& q) {
           p = -i * (i - a);
           q = x + 2.0 * i + 1.0 - a;
         });
}

/// Lower regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) {
  if (!(x > 0.0)) return 0.0;
  if (x >= 1.0) return 1.0;
  if (x > (a + 1.0) / (a + b + 2.0)) return 1.0 - incomplete_beta(b, a, 1.0 - x);
  const double scale =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
  return scale / continued_fraction(1.0, [&](int i, double& p, double& q) {
           const double m = std::floor(0.5 * i);
           p = i % 2 == 0 ? m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
                          : -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
           q = 1.0;
         });
}

}  // namespace

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double chi_square_sf(double x, double degrees) {
  return upper_incomplete_gamma(0.5 * degrees, 0.5 * x);
}

double f_sf(double x, double degrees, double other_degrees) {
  if (!(x > 0.0)) return 1.0;
  if (std::isinf(x)) return 0.0;
  return incomplete_beta(0.5 * other_degrees, 0.5 * degrees, other_degrees / (other_degrees + degrees * x));
}

double range_cdf(double x, std::size_t normals) {
  // Integrates over the largest value z; the others lie within x below it. The trapezoidal rule converges faster than
  // any power of the step for a smooth function that vanishes at both ends; 1/32 gives double precision.
  constexpr double step = 1.0 / 32.0;
  constexpr int end = 9 * 32;
  const double others = static_cast<double>(normals) - 1.0;
  double sum = 0.0;
  for (int i = -end; i <= end; ++i) {
    const double z = i * step;
    sum += std::exp(-0.5 * z * z) * std::pow(std::max(0.0, normal_cdf(z) - normal_cdf(z - x)), others);
  }
  return std::clamp((others + 1.0) * sum * step / std::sqrt(2.0 * std::numbers::pi), 0.0, 1.0);
}

double range_quantile(double level, std::size_t normals) {
  if (normals < 2) throw core::UsageError(fmt::format("the range of {} variables: must be at least 2", normals));
  if (!(level > 0.0 && level < 1.0))
    throw core::UsageError(fmt::format("the level {}: must be between 0 and 1", level));
  double low = 0.0, high = 20.0;  // beyond 20 the probability rounds to 1
  while (high - low > 4.0 * std::numeric_limits<double>::epsilon() * high) {
    const double middle = 0.5 * (low + high);
    (range_cdf(middle, normals) < 1.0 - level ? low : high) = middle;
  }
  return high;
}

}  // namespace accrete::tune
