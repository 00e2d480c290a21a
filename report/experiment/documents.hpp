#pragma once
// The stored results of the experiments other than the table.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/store/store.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::report {

/// Means and standard errors over folds, one per number of units.
struct UnitsCurve {
  std::vector<double> units, mean, se;
};

/// Document of "curves": a metric over units. The deep network has a single number of units.
struct CurveResult {
  std::string task, method, metric;
  std::size_t folds = 0;
  tune::Settings settings;
  UnitsCurve curve;  ///< accuracy as a fraction
};

/// Document of "times": seconds per fit over units; for the deep network, over units per layer.
struct TimesResult {
  std::string task, method;
  std::size_t folds = 0;
  UnitsCurve early, full;  ///< with early stopping; with all epochs
};

/// Document of "times-table": seconds per fit.
struct TrainingTime {
  std::string task, method;
  std::size_t folds = 0;
  tune::Settings settings = {};
  double mean = 0.0, sd = 0.0;
};

struct BoundaryPanel {
  std::size_t units = 0;
  double accuracy = 0.0;
  std::vector<double> probability;  ///< side x side, top row first
};

/// Document of "boundary": probabilities over a square for several sizes of a network.
struct BoundaryResult {
  std::string task, method;
  double limit = 0.0;
  std::size_t side = 0;
  std::vector<double> x, y;
  std::vector<int> classes;  ///< 0 or 1, one per point
  std::vector<BoundaryPanel> panels;
};

/// The results of a profile, in store order. Each throws FileError that names the result if a document cannot be read
/// or its lists differ in length.
std::vector<CurveResult> read_curves(const std::vector<store::Result>& results, std::string_view profile);
std::vector<TimesResult> read_times(const std::vector<store::Result>& results, std::string_view profile);
std::vector<TrainingTime> read_training_times(const std::vector<store::Result>& results, std::string_view profile);
std::vector<BoundaryResult> read_boundaries(const std::vector<store::Result>& results, std::string_view profile);

}  // namespace accrete::report
