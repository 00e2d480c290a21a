#include "accrete/core/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace accrete::core {
namespace {

std::uint64_t splitmix(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t step, Purpose purpose) {
  // Each ingredient passes through the mixer before the next is added, so that (1, 2) and (2, 1) part ways.
  std::uint64_t x = seed;
  x = splitmix(x) ^ step;
  x = splitmix(x) ^ static_cast<std::uint64_t>(purpose);
  for (auto& word : state_) word = splitmix(x);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::size_t Rng::below(std::size_t n) {
  // Reject the short last stretch of the 64-bit range so that every remainder is equally likely.
  const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % n;
  std::uint64_t x = next();
  while (x >= limit) x = next();
  return static_cast<std::size_t>(x % n);
}

std::vector<std::size_t> Rng::choose(std::size_t n, std::size_t k) {
  // Selection sampling: one pass, ascending by construction.
  std::vector<std::size_t> chosen;
  chosen.reserve(k);
  for (std::size_t i = 0; i < n && chosen.size() < k; ++i)
    if (below(n - i) < k - chosen.size()) chosen.push_back(i);
  return chosen;
}

}  // namespace accrete::core
