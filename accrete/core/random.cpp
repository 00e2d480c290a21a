#include "accrete/core/random.hpp"

#include <cmath>
#include <numbers>

namespace accrete::core {

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::vector<std::size_t> Rng::choose(std::size_t n, std::size_t k) {
  // Draws the same numbers as the other overload of choose, but without an unpredictable branch: overwrites rejected
  // indices.
  std::vector<std::size_t> all(k + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < n && count < k; ++i) {
    all[count] = i;
    count += below(n - i) < k - count ? 1 : 0;
  }
  all.resize(count);
  return all;
}

}  // namespace accrete::core
