#include "accrete/tune/statistics/nemenyi.hpp"

#include <cmath>
#include <numbers>

#include "accrete/core/error.hpp"
#include "accrete/tune/statistics/distribution.hpp"

namespace accrete::tune {

double nemenyi_q(std::size_t methods, double level) {
  return range_quantile(level, methods) / std::numbers::sqrt2;
}

double critical_distance(std::size_t methods, std::size_t data_sets, double level) {
  if (data_sets == 0) throw core::UsageError("the critical distance needs at least one data set");
  const auto k = static_cast<double>(methods), n = static_cast<double>(data_sets);
  return nemenyi_q(methods, level) * std::sqrt(k * (k + 1.0) / (6.0 * n));
}

}  // namespace accrete::tune
