#pragma once
// Early exit: a row stops at the first exit, a prefix of the network, at which its prediction is settled. This is what
// a model file stores; boosting/dial.hpp finds the thresholds, predict_exit.hpp applies them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accrete::model {

/// A prefix at which rows may stop. Classes: a row stops if its margin is at least the threshold. Regression: if its
/// predictions have moved by at most `threshold` tolerances since the previous exit; the first exit is only compared
/// with, and a negative threshold stops no row.
struct Exit {
  std::uint64_t steps = 0;
  double threshold = 0.0;
  bool operator==(const Exit&) const = default;
};

/// Of all rows, at most `disagreement` stop with another label than that of all units, or with a prediction that is
/// further than a tolerance from theirs; `confidence` is the probability of that over the draw of the rows tested.
struct EarlyExit {
  double disagreement = 0.0;  ///< 0: the model has no early exit
  double confidence = 0.0;
  std::uint64_t rows = 0;          ///< tested
  std::uint64_t differed = 0;      ///< how many of these stopped with another prediction
  double mean_units = 0.0;         ///< that they used
  std::vector<Exit> exits;         ///< ascending; empty: no threshold keeps the promise, so every row uses all units
  std::vector<double> tolerances;  ///< regression: per prediction of a row, in its units; classes: empty
  bool operator==(const EarlyExit&) const = default;
};

/// The class of the highest score; of one score, 1 if it is above 0.
std::size_t class_of(std::span<const double> scores);

/// How far the scores are from another class: |score| for two classes, the highest minus the second for several.
double margin(std::span<const double> scores);

/// The same for a given class: negative if another one has a higher score.
double margin_of(std::size_t label, std::span<const double> scores);

/// The largest change of a row's predictions, in tolerances.
double movement(std::span<const double> from, std::span<const double> to, std::span<const double> tolerances);

}  // namespace accrete::model
