#pragma once
// Everything a report says of a model on labelled rows, in numbers: one pass over the steps, looked at closely at some
// prefixes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/classes.hpp"
#include "report/labelled.hpp"

namespace accrete::report {

/// The network cut after some steps. What does not fit the task is empty.
struct PrefixMeasures {
  std::size_t steps = 0, units = 0;
  std::vector<double> metrics;                 ///< in the order of Measures::metrics
  std::vector<std::vector<double>> confusion;  ///< classes
  std::vector<CalibrationBin> calibration;     ///< classes
  std::vector<std::vector<double>> predicted;  ///< regression: by target, of the drawn rows
};

struct Measures {
  std::vector<std::string> metrics;  ///< every metric of the task
  std::size_t main_metric = 0;       ///< place of the one that models are compared by
  std::vector<PrefixMeasures> prefixes;
  std::vector<double> loss;  ///< the model's own loss after 0, 1, 2, ... steps, in the units of Provenance::train_loss
  ShownClasses classes;
  std::vector<std::vector<double>> truth;  ///< regression: by target, of the drawn rows
  bool stopped = false;

  const PrefixMeasures& whole() const { return prefixes.back(); }
  std::size_t drawn() const { return truth.empty() ? 0 : truth.front().size(); }
};

/// About fifty numbers of steps, ascending, the last one all: every one of few steps; of many, closer together at
/// first, where a network changes most (the squares of even spacing). {0} for a network without steps.
std::vector<std::size_t> choose_prefixes(std::size_t steps);

/// Points of the regression figures are at most 2,000 values, of rows drawn from the seed.
Measures measure(const Labelled& data, std::uint64_t seed, const Progress& progress, core::Workers& workers);

/// Weighted mean of the model's loss; scores: rows x outputs of its network.
double mean_loss(const Labelled& data, core::MatrixView<const double> scores, core::Workers& workers);

}  // namespace accrete::report
