#pragma once
// What is saved and served: the encoder, the network, the link from scores to predictions, and where it came from.
//
// Life: boosting::fit makes one -> predict / staged predictions at any number of units -> io::save_model,
// io::load_model -> boosting::grow goes on from it. baseline::fit makes those of the other methods, which predict and
// are saved likewise but have neither steps nor a dial.

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
#include "accrete/model/method.hpp"
#include "accrete/network/network.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::model {

/// One setting that was tried before the fit: what it was, and how far and how well it went on rows held out.
struct Trial {
  std::vector<std::pair<std::string, std::string>> parameters;  ///< those that were chosen among, name and value
  std::uint64_t units = 0;                                      ///< with the least loss
  double loss = 0.0;                                            ///< there, in the target's units
  bool operator==(const Trial&) const = default;
};

/// How parameters that nobody gave were chosen. Empty when nothing was.
struct Choice {
  std::uint64_t parts = 0;          ///< of the rows, each held out once
  std::uint64_t held_out_rows = 0;  ///< in all of them
  std::vector<Trial> trials;        ///< best first
  bool operator==(const Choice&) const = default;
};

/// How the model was made; enough to go on growing it.
struct Provenance {
  std::string version;                                          ///< accrete's version
  std::vector<std::pair<std::string, std::string>> parameters;  ///< every parameter, name and value as text
  std::uint64_t training_rows = 0;                              ///< that weighed anything, repeated ones each time
  std::uint64_t data_fingerprint = 0;   ///< of the encoded training rows: resuming on other data is refused
  std::vector<double> train_loss;       ///< after 0, 1, 2, ... steps, in the target's units
  std::vector<double> validation_loss;  ///< likewise, of rows held out, as far as it was measured; empty without any
  Choice choice;                        ///< of alpha, bins and units by rows held out; empty when all were given
};

/// One of the plain networks of a model that was not grown.
struct Member {
  network::PlainNetwork network;
  double weight = 1.0;  ///< of its vote; above 0
  bool operator==(const Member&) const = default;
};

struct Model {
  Method method = Method::boosting;
  data::Task task = data::Task::regression;
  loss::Loss loss;
  std::vector<std::string> targets;  ///< target column names
  std::vector<std::string> classes;  ///< labels; empty for regression
  std::vector<double> target_shift;  ///< per target: prediction = shift + scale * score (regression losses that scale)
  std::vector<double> target_scale;
  data::Encoder encoder;
  network::Network network;     ///< of the other methods: features, outputs and activation alone, no units
  std::vector<Member> members;  ///< one (network) or more of one shape (adaboost); none of a grown model
  Provenance provenance;

  /// Steps for a wanted number of units: rounds down to a whole step; 0 means the whole network. The number of units
  /// that training was asked for counts as the whole network where training itself rounded it down (200 in steps of 3).
  /// Throws UsageError when the model has fewer units, when the first step already has more, or for any number but 0
  /// when the model was not grown.
  std::size_t steps_for(std::size_t units) const;
  /// Hidden units at work after so many steps; those of all members of a model that was not grown.
  std::size_t units_after(std::size_t steps) const;
  /// The largest number that steps_for takes.
  std::size_t most_units() const;
};

/// rows x (classes, or targets): probabilities for classes, values in the target's units for regression.
/// scores: rows x network outputs.
core::Matrix<double> apply_link(const Model& model, core::MatrixView<const double> scores);

/// Predictions of the network cut after `steps` steps; of a model that was not grown, after 0.
core::Matrix<double> predict(const Model& model, const data::Table& table, std::size_t steps, core::Workers& workers);

/// The same from raw row-major rows, one column per input; NaN is missing. The model's inputs must all be numeric.
/// Throws UsageError for rows of another width or an input that is text, DataError for an infinity.
core::Matrix<double> predict(const Model& model, core::MatrixView<const float> raw, std::size_t steps,
                             core::Workers& workers);

/// One raw row (see Encoder::encode_row) into classes (or targets) places; workspace must have workspace_size(model)
/// floats. Allocates nothing. Throws UsageError for a model that was not grown.
void predict_row(const Model& model, std::span<const float> raw, std::size_t steps, std::span<float> workspace,
                 std::span<double> prediction);
std::size_t workspace_size(const Model& model);

/// The listed rows of the table, by the whole model.
core::Matrix<double> predict_rows(const Model& model, const data::Table& table, std::span<const std::size_t> rows,
                                  core::Workers& workers);

/// Calls see(steps, predictions) for every prefix, in one pass over the units; model/staged.hpp is the same to be asked
/// for one prefix after the other.
void predict_staged(const Model& model, const data::Table& table, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& see);

/// Index of the largest probability of a row.
std::size_t best_class(std::span<const double> probabilities);

}  // namespace accrete::model
