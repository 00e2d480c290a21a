#include "accrete/core/random.hpp"

#include <cmath>
#include <numbers>

namespace accrete::core {

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::vector<std::size_t> Rng::choose(std::size_t n, std::size_t k) {
  std::vector<std::size_t> all;
  all.reserve(k);
  choose(n, k, [&](std::size_t i) { all.push_back(i); });
  return all;
}

}  // namespace accrete::core
