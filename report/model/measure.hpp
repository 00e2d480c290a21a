#pragma once
// All measurements of a model report: the loss after every step, and metrics at about fifty prefixes, in one pass.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/model/classes.hpp"
#include "report/model/labelled_rows.hpp"

namespace accrete::report {

/// Measurements of one prefix. Members that do not apply to the task are empty.
struct PrefixMeasures {
  std::size_t steps = 0, units = 0;
  std::vector<double> metrics;                 ///< in the order of Measures::metrics
  std::vector<std::vector<double>> confusion;  ///< classes
  std::vector<CalibrationBin> calibration;     ///< classes
  std::vector<std::vector<double>> predicted;  ///< regression: by target, for the sampled rows
};

struct Measures {
  std::vector<std::string> metrics;  ///< all metrics of the task; of calibrated models also coverage and size
  std::size_t main_metric = 0;       ///< index of the primary metric
  std::vector<PrefixMeasures> prefixes;
  /// The model's loss after 0, 1, 2, ... steps, in the units of Provenance::train_loss. Empty for a custom loss, whose
  /// formulas are not in the model.
  std::vector<double> loss;
  ConfusionClasses classes;
  std::vector<std::vector<double>> truth;  ///< regression: by target, for the sampled rows
  bool stopped = false;

  const PrefixMeasures& full_network() const { return prefixes.back(); }
  std::size_t sampled_rows() const { return truth.empty() ? 0 : truth.front().size(); }
};

/// The name of the size of a model's intervals or sets: interval_width, set_size.
std::string interval_size_name(const model::Model& model);

/// Up to 55 numbers of steps, ascending, the last one `steps`. If there are more steps, the spacing is quadratic:
/// denser at the beginning, where a network changes most. {0} for a network without steps.
std::vector<std::size_t> choose_prefixes(std::size_t steps);

/// Regression figures show at most 2,000 values, from rows sampled with the seed.
Measures measure(const LabelledRows& data, std::uint64_t seed, const ProgressCallback& progress,
                 core::Workers& workers);

/// Weighted mean of the model's loss; scores are rows x outputs.
double mean_loss(const LabelledRows& data, core::MatrixView<const double> scores, core::Workers& workers);

}  // namespace accrete::report
