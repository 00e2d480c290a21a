#pragma once
// Early exit: a row stops at the first exit (a prefix of the network) at which its prediction is settled. This is the
// part that a model file stores; boosting/dial.hpp finds the thresholds, predict_exit.hpp applies them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accrete::model {

/// A prefix at which rows may stop. Classes: a row stops if its margin is at least the threshold. Regression: a row
/// stops if its predictions have moved by at most `threshold` tolerances since the previous exit. No row stops at the
/// first exit of a regression, or at a negative threshold.
struct Exit {
  std::uint64_t steps = 0;
  double threshold = 0.0;
  bool operator==(const Exit&) const = default;
};

/// With probability `confidence` over the draw of the tested rows, at most the share `disagreement` of all rows stop
/// with another label than that of all units, or with a prediction more than a tolerance away from it.
struct EarlyExit {
  double disagreement = 0.0;  ///< 0: the model has no early exit
  double confidence = 0.0;
  std::uint64_t rows = 0;          ///< number of rows tested
  std::uint64_t differed = 0;      ///< tested rows that stopped with a different prediction
  double mean_units = 0.0;         ///< mean units that the tested rows used
  std::vector<Exit> exits;         ///< ascending; empty: no threshold meets the guarantee, so every row uses all units
  std::vector<double> tolerances;  ///< regression: one per prediction of a row, in its units; classes: empty
  bool operator==(const EarlyExit&) const = default;
};

/// The class with the highest score; for a single score, 1 if it is above 0.
std::size_t class_of(std::span<const double> scores);

/// The distance of the scores from another class: |score| for two classes, otherwise the highest minus the second
/// score.
double margin(std::span<const double> scores);

/// The margin of a given class: negative if another class has a higher score.
double margin_of(std::size_t label, std::span<const double> scores);

/// The largest change of a row's predictions, in tolerances.
double movement(std::span<const double> from, std::span<const double> to, std::span<const double> tolerances);

}  // namespace accrete::model
