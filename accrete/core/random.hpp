#pragma once
// Every draw comes from (seed, step, purpose), never from a running state: a resumed or grown network draws what
// an unbroken run would have drawn, and no draw depends on the number of threads.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "accrete/core/inline.hpp"

namespace accrete::core {

enum class Purpose : std::uint64_t { weights = 1, rows, features, batches, folds, validation, generator, choice };

/// xoshiro256** seeded through splitmix64. Same arguments, same sequence, on every machine.
class Rng {
 public:
  ACCRETE_ANYWHERE Rng(std::uint64_t seed, std::uint64_t step, Purpose purpose) {
    // Each ingredient passes through the mixer before the next is added, so that (1, 2) and (2, 1) part ways.
    std::uint64_t x = seed;
    x = splitmix(x) ^ step;
    x = splitmix(x) ^ static_cast<std::uint64_t>(purpose);
    for (auto& word : state_) word = splitmix(x);
  }

  ACCRETE_ANYWHERE std::uint64_t next() {
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
  ACCRETE_ANYWHERE double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  ACCRETE_ANYWHERE double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();  ///< mean 0, variance 1

  /// In 0..n-1, unbiased; n > 0.
  ACCRETE_ANYWHERE std::size_t below(std::size_t n) {
    // Reject the short last stretch of the 64-bit range so that every remainder is equally likely. It is shorter than
    // n: nearly always one division will do.
    constexpr std::uint64_t end = ~std::uint64_t{0};
    std::uint64_t x = next();
    while (x >= end - n && x >= end - end % n) x = next();
    return static_cast<std::size_t>(x % n);
  }

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

  /// k of 0..n-1 without replacement, ascending: chosen(which) for each.
  template <class Chosen>
  ACCRETE_ANYWHERE void choose(std::size_t n, std::size_t k, Chosen&& chosen) {
    // Selection sampling: one pass, ascending by construction.
    for (std::size_t i = 0; i < n && k > 0; ++i)
      if (below(n - i) < k) chosen(i), --k;
  }
  std::vector<std::size_t> choose(std::size_t n, std::size_t k);

 private:
  ACCRETE_ANYWHERE static std::uint64_t splitmix(std::uint64_t& x) {
    std::uint64_t z = (x += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_[4];
};

}  // namespace accrete::core
