#pragma once
// The public door: train, predict at any number of units, cut, save, load. Spans and plain structs in, plain structs
// out. Nothing here prints, exits or keeps global state; what cannot be done is a core::Error with one line of text.
//
//   accrete::Samples samples{.features = x, .columns = 4, .labels = y};
//   accrete::Model model = accrete::train(samples, {.parameters = {{"units", "200"}}});
//   auto p = accrete::predict(model, x, {.units = 50});             // rows x classes, from the first 50 units alone
//   accrete::save(accrete::prefix(model, 50), "small.safetensors");
//
// The rooms behind it (accrete/data, accrete/boosting, accrete/model, accrete/io, ...) may be included directly for
// tables with text columns, CSV files, cross-validation and the rest.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/version.hpp"
#include "accrete/data/table.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/model.hpp"

namespace accrete {

using boosting::Observer;
using boosting::Progress;
using core::DataError;
using core::Error;
using core::FileError;
using core::UsageError;
using core::version;
using data::Table;
using data::Task;
using model::Model;

/// Training rows by view: nothing is copied until training starts, nothing is kept after it.
struct Samples {
  std::span<const float> features = {};  ///< row-major, rows x columns; NaN is a missing value
  std::size_t columns = 0;
  std::span<const std::string> labels = {};  ///< one per row, for classes; or
  std::span<const double> targets = {};      ///< one per row (rows x target_columns), for numbers or numeric classes
  std::size_t target_columns = 1;
  std::span<const double> weights = {};     ///< one per row, or empty
  std::span<const std::string> names = {};  ///< of the columns, or empty: x0, x1, ...
};

struct TrainOptions {
  std::string preset = "default";                                    ///< or "paper"
  std::vector<std::pair<std::string, std::string>> parameters = {};  ///< by name, as in docs/parameters.md
  std::optional<Task> task = {};                                     ///< empty: chosen from the target
  std::size_t threads = 0;                                           ///< 0: all; never changes the result
};

/// Throws UsageError for spans that do not fit together and for parameters out of range, DataError for data that
/// cannot be learnt from. The observer sees each step and may stop it by returning false.
Model train(const Samples& samples, const TrainOptions& options = {}, const Observer& observer = {});

/// The same from a table; the target is the named column.
Model train(const Table& table, const std::string& target, const TrainOptions& options = {},
            const Observer& observer = {});
/// The same from a table that is not needed any more, which halves the memory that training takes.
Model train(Table&& table, const std::string& target, const TrainOptions& options = {}, const Observer& observer = {});

/// Goes on until the model has `units` units, with the parameters it was made with.
Model grow(const Model& model, const Samples& samples, std::size_t units, const Observer& observer = {});

struct PredictOptions {
  std::size_t units = 0;  ///< use the first `units` units (rounded down to a whole step); 0: all
  std::size_t threads = 0;
};

/// rows x classes probabilities, or rows x targets values. Throws UsageError beyond the model's units or when the
/// features are not whole rows of the model's inputs; DataError for an infinity.
core::Matrix<double> predict(const Model& model, std::span<const float> features, const PredictOptions& options = {});

/// The label of the most probable class, row by row. Throws UsageError for a regression model.
std::vector<std::string> predict_labels(const Model& model, std::span<const float> features,
                                        const PredictOptions& options = {});

/// The network cut to its first `units` units (rounded down to a whole step), as a model of its own.
Model prefix(const Model& model, std::size_t units);

void save(const Model& model, const std::string& path);  ///< written beside and renamed; throws FileError
Model load(const std::string& path);                     ///< throws FileError for a file that is not a sound model

}  // namespace accrete
