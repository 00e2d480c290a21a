#include "accrete/boosting/dial/risk_control.hpp"

#include <algorithm>
#include <cmath>

namespace accrete::boosting {

double binomial_p_value(std::size_t wrong, std::size_t rows, double rate) {
  if (wrong >= rows) return 1.0;
  const auto n = static_cast<double>(rows);
  double sum = 0.0;
  for (std::size_t i = 0; i <= wrong; ++i) {
    const auto k = static_cast<double>(i);
    const double ways = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
    sum += std::exp(ways + k * std::log(rate) + (n - k) * std::log1p(-rate));
  }
  return std::min(sum, 1.0);
}

std::size_t min_test_rows(double rate, double confidence) {
  // The logarithms of 1 - confidence and (1 - rate)^rows may be exactly equal, as with 0.5 and 0.5; round-off must not
  // add a row.
  return static_cast<std::size_t>(std::ceil(std::log1p(-confidence) / std::log1p(-rate) - 1e-9));
}

std::size_t count_safe(std::size_t settings, std::size_t rows, RiskLimit limit,
                       const std::function<std::size_t(std::size_t)>& wrong_with) {
  // The same slack as in min_test_rows, because the two must agree.
  const double level = (1.0 - limit.confidence) * (1.0 + 1e-9);
  for (std::size_t i = 0; i < settings; ++i)
    if (binomial_p_value(wrong_with(i), rows, limit.rate) > level) return i;
  return settings;
}

}  // namespace accrete::boosting
