#pragma once
// Families of exit thresholds that are scaled by one common factor, and what they save and cost on a set of rows.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/boosting/dial/exit_evidence.hpp"

namespace accrete::boosting {

class ThresholdFamily {
 public:
  /// learning: the rows that determine the shape of the family.
  ThresholdFamily(const ExitEvidence& evidence, std::span<const std::size_t> learning);

  /// Classes: the margin must be at least `factor` times a high quantile of the loss of margin. Regression: the
  /// distance to the final prediction is bounded by factor * scale * (movement + median movement), which must be at
  /// most 1.
  std::vector<double> thresholds(double factor) const;

  bool stops(double signal, double threshold) const { return classes_ ? signal >= threshold : signal <= threshold; }

 private:
  bool classes_;
  std::vector<double> scale_, usual_;
};

/// From 1,024, where no row stops, down to 1 / 32 in steps of 9 %: fine enough to lose little, coarse enough to be
/// fast.
std::vector<double> factors();

struct ExitOutcome {
  std::size_t differed = 0;
  double units = 0.0;  ///< mean per row
};

/// units: after each exit, then of the whole network.
ExitOutcome try_thresholds(const ExitEvidence& evidence, const ThresholdFamily& family,
                           std::span<const double> thresholds, std::span<const std::size_t> rows,
                           std::span<const std::size_t> units);

}  // namespace accrete::boosting
