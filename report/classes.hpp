#pragma once
// What classes are taken for, and what predicted probabilities are worth.

#include <cstddef>
#include <string>
#include <vector>

#include "report/labelled.hpp"

namespace accrete::report {

/// The classes that a confusion matrix has rows and columns for. Of many classes the most frequent ones are shown, in
/// the model's order, and the others are one more row and column.
struct ShownClasses {
  static constexpr std::size_t most = 20;

  std::vector<std::string> names;   ///< the last is "others" when some were joined
  std::vector<std::size_t> places;  ///< of each class of the model
  std::size_t joined = 0;           ///< classes among the others
};

ShownClasses shown_classes(const Labelled& data);

/// counts[true][predicted], each row counted by its weight.
std::vector<std::vector<double>> confusion(const metric::Case& c, const ShownClasses& shown);

/// Rows whose probability lies in one of ten equal parts of 0 .. 1.
struct CalibrationBin {
  double predicted = 0.0;  ///< mean probability
  double observed = 0.0;   ///< share of rows where it came true
  double rows = 0.0;       ///< by weight; 0: the others mean nothing
};

/// Of two classes, the probability of the second; of more, that of the predicted class.
std::vector<CalibrationBin> calibration(const metric::Case& c);

}  // namespace accrete::report
