#pragma once
// A trained model: the encoder, the network, the link from scores to predictions, and its provenance.
//
// boosting::fit creates it, predict and StagedPrediction use any prefix of it, io::save_model and io::load_model store
// it, and boosting::grow adds units to it. baseline::fit creates models of the plain methods, which are used and saved
// the same way but have no steps and no dial.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/target.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/metric/labelled_predictions.hpp"
#include "accrete/model/early_exit.hpp"
#include "accrete/model/lazy_tables.hpp"
#include "accrete/model/method.hpp"
#include "accrete/network/network.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::model {

/// One candidate that was tried before the fit, with its result on held-out rows.
struct Trial {
  std::vector<std::pair<std::string, std::string>> parameters;  ///< the varied parameters, name and value
  std::uint64_t units = 0;                                      ///< number of units with the lowest held-out loss
  double loss = 0.0;                                            ///< that loss, in the target's units
  bool operator==(const Trial&) const = default;
};

/// How unset parameters were chosen. Empty if all parameters were given.
struct ParameterChoice {
  std::uint64_t folds = 0;          ///< each held out once
  std::uint64_t held_out_rows = 0;  ///< total over the folds
  std::vector<Trial> trials;        ///< best first
  bool operator==(const ParameterChoice&) const = default;
};

/// How the model was trained, with everything needed to grow it further.
struct Provenance {
  std::string version;                                          ///< accrete's version
  std::vector<std::pair<std::string, std::string>> parameters;  ///< every parameter, name and value as text
  std::uint64_t training_rows = 0;      ///< rows of positive weight, before equal rows were merged
  std::uint64_t data_fingerprint = 0;   ///< hash of the encoded training rows; resuming on other data is refused
  std::vector<double> train_loss;       ///< after 0, 1, 2, ... steps, in the target's units
  std::vector<double> validation_loss;  ///< the same for the validation set, as far as measured; empty without one
  ParameterChoice choice;               ///< how settings were chosen on held-out rows; empty if they were not
};

/// Split-conformal calibration: the interval or set of a row contains the truth with probability `coverage`, over the
/// draw of the calibration rows and of the row. Regression: the outer quantiles are widened by the correction (CQR).
/// Classes: the set has the most probable class and every class with a probability of at least 1 - correction.
struct Calibration {
  double coverage = 0.0;  ///< 0: not calibrated
  std::uint64_t rows = 0;
  std::vector<double> corrections;  ///< one per prefix, after 0, 1, 2, ... steps
  bool operator==(const Calibration&) const = default;
};

/// One network of a plain model.
struct Member {
  network::PlainNetwork network;
  double weight = 1.0;  ///< voting weight, above 0
  bool operator==(const Member&) const = default;
};

struct Model {
  Method method = Method::boosting;
  data::Task task = data::Task::regression;
  loss::Loss loss;
  std::vector<std::string> targets;  ///< target column names
  std::vector<std::string> classes;  ///< labels; empty for regression
  std::string offset_column;         ///< column of the numbers added to the scores; empty: none
  std::vector<double> target_shift;  ///< per target: prediction = shift + scale * score (regression losses that scale)
  std::vector<double> target_scale;
  data::Encoder encoder;
  network::Network network;     ///< plain methods: features, outputs and activation only, no units
  std::vector<Member> members;  ///< one (network) or several of equal shape (adaboost); empty for boosting
  Calibration calibration;
  EarlyExit early_exit;
  Provenance provenance;
  LazyTables tables;  ///< tables for prediction, from encoder and network

  /// The number of steps within `units` units; 0 means all steps. The value of the parameter `units` means all steps
  /// even if training rounded it down (200 units in steps of 3). Throws UsageError if units > max_units(), if the first
  /// step already has more units, or for a nonzero value on a plain model.
  std::size_t steps_for(std::size_t units) const;
  /// Hidden units after `steps` steps; for a plain model, the units of all members.
  std::size_t units_after(std::size_t steps) const;
  /// The largest number of units that steps_for accepts.
  std::size_t max_units() const;
  /// The column of a regression's point prediction: with several quantiles, the one nearest to the median.
  metric::PointPrediction point() const;
  /// The target that an output predicts; several quantiles share one.
  std::size_t target_of(std::size_t output) const { return loss.quantiles().empty() ? output : 0; }
  /// Column names of a prediction: classes, targets, or quantiles such as q0.05.
  std::vector<std::string> prediction_names() const;
  /// Keeps the first `steps` steps, and drops early exit if that shortens the network, because its thresholds are for
  /// all units.
  void truncate(std::size_t steps);
};

/// rows x (classes, or targets): probabilities for classes, values in the target's units for regression.
/// scores: rows x network outputs.
core::Matrix<double> apply_link(const Model& model, core::MatrixView<const double> scores);

/// Predictions of the prefix of `steps` steps; for a plain model, pass 0.
core::Matrix<double> predict(const Model& model, const data::Table& table, std::size_t steps, core::Workers& workers);

/// The same for raw row-major rows, one column per input; NaN means missing. Throws UsageError if the width differs or
/// a model input is text, DataError if a value is infinite.
core::Matrix<double> predict(const Model& model, core::MatrixView<const float> raw, std::size_t steps,
                             core::Workers& workers);

/// Predicts one raw row (see Encoder::encode_row) without allocating. prediction: one element per class or target;
/// workspace: at least workspace_size(model) elements, whose call also builds the lookup tables of a model with bins or
/// categories. Throws UsageError for a plain model.
void predict_row(const Model& model, std::span<const float> raw, std::size_t steps, std::span<float> workspace,
                 std::span<double> prediction);
std::size_t workspace_size(const Model& model);

/// Predictions of the complete model for the listed rows of the table, bit-identical to those of predict_staged. Those
/// of predict may differ in the last digits, because it may use lookup tables.
core::Matrix<double> predict_rows(const Model& model, const data::Table& table, std::span<const std::size_t> rows,
                                  core::Workers& workers);

/// Calls visit(steps, predictions) for every prefix, in one pass over the units. StagedPrediction (model/staged.hpp) is
/// the iterator form.
void predict_staged(const Model& model, const data::Table& table, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& visit);

/// Index of the largest probability of a row.
std::size_t best_class(std::span<const double> probabilities);

}  // namespace accrete::model
