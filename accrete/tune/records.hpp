#pragma once
// The record of a finished fit, and its lookup key.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accrete::tune {

/// The fold number of a fit outside any fold loop.
inline constexpr std::int64_t no_fold = -1;

/// Fits with equal keys are the same fit and have the same scores.
struct FitKey {
  std::string study;       ///< how the rows were split: see tune/search.hpp
  std::uint64_t data = 0;  ///< fingerprint of the problem
  std::string method;      ///< the method with all parameters, as one canonical text
  std::int64_t repeat = 0;
  std::int64_t outer_fold = no_fold;
  std::int64_t inner_fold = no_fold;
  std::uint64_t seed = 0;
  auto operator<=>(const FitKey&) const = default;
};

/// Metrics of one prefix on the test rows; NaN if not finite.
struct PrefixScores {
  std::size_t units = 0;  ///< as requested; the prefix is rounded down to whole steps
  std::vector<std::pair<std::string, double>> metrics;
};

struct FitRecord {
  std::vector<PrefixScores> prefixes;  ///< ascending
  std::size_t units = 0;               ///< of the complete network
  double seconds = 0.0;                ///< of the fit, without scoring
};

/// Storage of finished fits. Thread-safe.
class Records {
 public:
  virtual ~Records() = default;
  virtual std::optional<FitRecord> find(const FitKey& key) = 0;
  /// Replaces a record with the same key, which may lack metrics if an older version wrote it.
  virtual void keep(const FitKey& key, const FitRecord& record) = 0;
};

}  // namespace accrete::tune
