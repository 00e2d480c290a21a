#pragma once
// Random numbers are functions of (seed, step, purpose) and not of global state: a resumed or grown network draws the
// same numbers as an uninterrupted fit, for any number of threads.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "accrete/core/inline.hpp"

namespace accrete::core {

enum class Purpose : std::uint64_t {
  weights = 1,
  rows,
  features,
  batches,
  folds,
  validation,
  generator,
  choice,
  groups
};

/// xoshiro256** seeded through splitmix64. The sequence depends only on the arguments, not on the hardware.
class Rng {
 public:
  ACCRETE_HOST_DEVICE Rng(std::uint64_t seed, std::uint64_t step, Purpose purpose) {
    // Mixes each argument before adding the next, so that (1, 2) and (2, 1) give different sequences.
    std::uint64_t x = seed;
    x = splitmix(x) ^ step;
    x = splitmix(x) ^ static_cast<std::uint64_t>(purpose);
    for (auto& word : state_) word = splitmix(x);
  }

  ACCRETE_HOST_DEVICE std::uint64_t next() {
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

  /// In [0, 1).
  ACCRETE_HOST_DEVICE double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  ACCRETE_HOST_DEVICE double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();  ///< mean 0, variance 1

  /// In 0..n-1, unbiased; n > 0.
  ACCRETE_HOST_DEVICE std::size_t below(std::size_t n) {
    // Rejects the incomplete last multiple of n in the 64-bit range to make all remainders equally likely. The first
    // comparison avoids the second division in nearly all draws.
    constexpr std::uint64_t end = ~std::uint64_t{0};
    std::uint64_t x = next();
    while (x >= end - n && x >= end - end % n) x = next();
    return static_cast<std::size_t>(x % n);
  }

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

  /// Calls chosen(index) for k indices out of 0..n-1, without replacement, in ascending order.
  template <class Chosen>
  ACCRETE_HOST_DEVICE void choose(std::size_t n, std::size_t k, Chosen&& chosen) {
    // Selection sampling (Knuth, algorithm S).
    for (std::size_t i = 0; i < n && k > 0; ++i)
      if (below(n - i) < k) chosen(i), --k;
  }
  std::vector<std::size_t> choose(std::size_t n, std::size_t k);

 private:
  ACCRETE_HOST_DEVICE static std::uint64_t splitmix(std::uint64_t& x) {
    std::uint64_t z = (x += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_[4];
};

}  // namespace accrete::core
