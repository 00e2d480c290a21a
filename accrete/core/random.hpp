#pragma once
// Every draw comes from (seed, step, purpose), never from a running state: a resumed or grown network draws what
// an unbroken run would have drawn, and no draw depends on the number of threads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accrete::core {

enum class Purpose : std::uint64_t { weights = 1, rows, features, batches, folds, validation, generator, choice };

/// xoshiro256** seeded through splitmix64. Same arguments, same sequence, on every machine.
class Rng {
 public:
  Rng(std::uint64_t seed, std::uint64_t step, Purpose purpose);

  std::uint64_t next();
  double uniform();  ///< in [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();                   ///< mean 0, variance 1
  std::size_t below(std::size_t n);  ///< in 0..n-1, unbiased; n > 0

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

  /// k of 0..n-1 without replacement, ascending.
  std::vector<std::size_t> choose(std::size_t n, std::size_t k);

 private:
  std::uint64_t state_[4];
};

}  // namespace accrete::core
