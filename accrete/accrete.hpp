#pragma once
// The public API: train, predict and explain with any number of units, take prefixes, save and load. It takes spans and
// plain structs, never prints or exits, and has no global state. Errors are exceptions derived from Error, with a
// one-line message.
//
//   accrete::Samples samples{.features = x, .columns = 4, .labels = y};
//   accrete::Model model = accrete::train(samples, {.units = 200, .learning_rate = 0.1});
//   auto p = accrete::predict(model, x, {.units = 50});             // rows x classes, from the first 50 units
//   accrete::save(accrete::prefix(model, 50), "small.safetensors");
//
// Other public headers: accrete/io/csv.hpp (CSV files), accrete/data/split.hpp (splits and folds),
// accrete/tune/cross_validation.hpp, accrete/baseline/fit.hpp (plain networks and AdaBoost), accrete/loss/custom.hpp
// (custom losses) and accrete/core/random.hpp.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/version.hpp"
#include "accrete/data/table.hpp"
#include "accrete/explain/contributions.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/model.hpp"

namespace accrete {

using boosting::Observer;
using boosting::Progress;
using config::Config;
using core::DataError;
using core::Error;
using core::FileError;
using core::UsageError;
using core::version;
using data::Table;
using data::Task;
using explain::Contributions;
using model::Model;

/// Views of the training rows with either labels or targets. They must remain valid until train returns.
struct Samples {
  std::span<const float> features = {};  ///< row-major, rows x columns; NaN is a missing value
  std::size_t columns = 0;
  std::span<const std::string> labels = {};  ///< one per row, for classes
  std::span<const double> targets = {};      ///< rows x target_columns: numbers, or numeric classes
  std::size_t target_columns = 1;
  std::span<const double> weights = {};     ///< one per row, or empty
  std::span<const double> offsets = {};     ///< added to the score of each row, or empty; one output only
  std::span<const std::string> names = {};  ///< column names, or empty: x0, x1, ...
};

struct TrainOptions {
  std::string preset = "default";                            ///< or "fast", "best", "paper"
  std::optional<Task> task = {};                             ///< unset: inferred from the target
  std::size_t threads = 0;                                   ///< 0: all; results do not depend on it
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};  ///< for Config::loss "custom" (accrete/loss/custom.hpp)
  boosting::CustomMetric custom_metric = {};                 ///< early stopping uses it instead of Config::metric
};

/// Config has the fields of docs/parameters.md. Unset fields come from the preset, except that alpha, bins and units
/// (of large tables also feature_fraction and max_iter) are chosen on held-out rows unless `automatic` is off. Throws
/// UsageError for spans of inconsistent size and for parameters out of range, DataError for data that cannot be learnt
/// from. The observer is called after each step and stops the training by returning false.
Model train(const Samples& samples, const Config& config = {}, const TrainOptions& options = {},
            const Observer& observer = {});

/// The same from a table, with the named column as the target.
Model train(const Table& table, const std::string& target, const Config& config = {}, const TrainOptions& options = {},
            const Observer& observer = {});
/// The same, but releases the table's memory while encoding it, which halves the peak memory.
Model train(Table&& table, const std::string& target, const Config& config = {}, const TrainOptions& options = {},
            const Observer& observer = {});

/// Adds units until the model has `units`, with the parameters it was trained with. A model with a custom loss needs it
/// in the options; apart from that, only their thread count is used.
Model grow(const Model& model, const Samples& samples, std::size_t units, const Observer& observer = {},
           const TrainOptions& options = {});

struct PredictOptions {
  std::size_t units = 0;  ///< use the first `units` units, rounded down to whole steps; 0: all
  std::size_t threads = 0;
  std::span<const double> offsets = {};  ///< one per row, as in Samples; empty: none
};

/// rows x classes (probabilities) or rows x targets (values). Throws UsageError for more units than the model has or if
/// the features are not whole rows; DataError for an infinity.
core::Matrix<double> predict(const Model& model, std::span<const float> features, const PredictOptions& options = {});

/// The label of the most probable class of each row. Throws UsageError for a regression model.
std::vector<std::string> predict_labels(const Model& model, std::span<const float> features,
                                        const PredictOptions& options = {});

/// The contribution of each column to the scores of each row. Throws as predict does, and UsageError for a plain model.
Contributions contributions(const Model& model, std::span<const float> features, const PredictOptions& options = {});

/// The prefix with the first `units` units, rounded down to whole steps, as a new model.
Model prefix(const Model& model, std::size_t units);

void save(const Model& model, const std::string& path);  ///< atomic; throws FileError
Model load(const std::string& path);                     ///< throws FileError for an invalid file

}  // namespace accrete
