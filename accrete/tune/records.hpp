#pragma once
// What is kept of a finished fit, and what it is found again by.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accrete::tune {

/// A fold's number where there is none: the fit is not inside such a loop.
inline constexpr std::int64_t no_fold = -1;

/// Two fits with equal keys are the same fit and have the same scores.
struct FitKey {
  std::string study;       ///< how the rows were cut: see tune/search.hpp
  std::uint64_t data = 0;  ///< fingerprint of the problem
  std::string method;      ///< the method with every parameter, in one canonical text
  std::int64_t repeat = 0;
  std::int64_t outer_fold = no_fold;
  std::int64_t inner_fold = no_fold;
  std::uint64_t seed = 0;
  bool operator==(const FitKey&) const = default;
};

/// Metrics of the test rows with the first so many units. A score that is not finite is NaN.
struct PrefixScores {
  std::size_t units = 0;  ///< as they were asked for; the network may have fewer, by part of a step
  std::vector<std::pair<std::string, double>> metrics;
};

struct FitRecord {
  std::vector<PrefixScores> prefixes;  ///< ascending
  std::size_t units = 0;               ///< of the whole network
  double seconds = 0.0;                ///< of the fit alone, not of its scores
};

/// Where finished fits are kept. Called by many threads.
class Records {
 public:
  virtual ~Records() = default;
  virtual std::optional<FitRecord> find(const FitKey& key) = 0;
  /// A fit that is there already is left as it is.
  virtual void keep(const FitKey& key, const FitRecord& record) = 0;
};

}  // namespace accrete::tune
