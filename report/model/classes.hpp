#pragma once
// Confusion matrix and calibration of class predictions.

#include <cstddef>
#include <string>
#include <vector>

#include "report/model/labelled_rows.hpp"

namespace accrete::report {

/// The rows and columns of a confusion matrix. If there are many classes, only the most frequent ones are shown, in the
/// model's order, and the rest is merged into "others".
struct ConfusionClasses {
  static constexpr std::size_t max_size = 20;

  std::vector<std::string> names;    ///< the last is "others" if classes are merged
  std::vector<std::size_t> indices;  ///< of each class of the model, in names
  std::size_t merged = 0;            ///< number of classes in "others"
};

ConfusionClasses choose_confusion_classes(const LabelledRows& data);

/// counts[true][predicted], weighted.
std::vector<std::vector<double>> confusion(const metric::LabelledPredictions& c, const ConfusionClasses& shown);

/// Rows whose probability lies in one of ten equal intervals of [0, 1].
struct CalibrationBin {
  double predicted = 0.0;  ///< mean probability
  double observed = 0.0;   ///< share of rows of that class
  double rows = 0.0;       ///< sum of weights; if 0, the other members are undefined
};

/// For two classes, of the probability of the second; for more, of the predicted class.
std::vector<CalibrationBin> calibration(const metric::LabelledPredictions& c);

}  // namespace accrete::report
