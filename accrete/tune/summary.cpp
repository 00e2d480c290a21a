#include "accrete/tune/summary.hpp"

#include <cmath>
#include <limits>

namespace accrete::tune {

Summary summarise(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0};
  double mean = 0.0, squares = 0.0;
  for (double v : values) mean += v / n;
  for (double v : values) squares += (v - mean) * (v - mean);
  const double sd = values.size() > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0;
  return {mean, sd, sd / std::sqrt(n)};
}

Tally tally(std::span<const Summary> differences, double standard_errors, Better better) {
  Tally count;
  for (const Summary& difference : differences) {
    const double gain = better == Better::higher ? difference.mean : -difference.mean;
    if (std::abs(gain) > standard_errors * difference.se)
      ++(gain > 0.0 ? count.wins : count.losses);
    else
      ++count.ties;
  }
  return count;
}

}  // namespace accrete::tune
