#pragma once
// From a table to a model: read, split, choose, encode, train. Each stage is a file of this folder; fit.cpp calls them.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/choose/time_left.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/message.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/loss/custom.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// What an observer receives after each step. Losses are in the target's units.
struct Progress {
  std::size_t step, steps, units;  ///< steps done, steps planned, units of the network
  double train_loss;
  std::optional<double> validation_loss = {};
  TimeEstimate time = {};
  std::function<model::Model()> snapshot = {};  ///< the model after this step; valid only during the call
};

/// Called after each step; false stops the fit with a valid model.
using Observer = std::function<bool(const Progress&)>;

/// Called while settings are chosen on held-out rows; false ends the fit with the best network found.
using ChoosingObserver = std::function<bool(const TimeEstimate&)>;

/// A custom metric of the validation set; smaller is better. Predictions are class probabilities or values in the
/// target's units; targets are class indices or values.
using CustomMetric = std::function<double(core::MatrixView<const double> predictions,
                                          core::MatrixView<const double> targets, std::span<const double> weights)>;

struct FitOptions {
  std::vector<std::string> targets = {};  ///< column names or indices; empty: the last column
  std::optional<data::Task> task = {};    ///< unset: inferred from the target
  std::string preset = "default";
  config::Config config = {};            ///< parameters; unset fields come from the preset or are chosen
  std::string weight_column = {};        ///< sample weights (2: as if repeated, 0: as if absent); empty: none
  std::string offset_column = {};        ///< added to the scores; empty: none. One output only
  std::vector<std::string> ignore = {};  ///< columns that are not features, such as one that only group_weight reads
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};  ///< for config.loss custom; steps fit its residuals
  CustomMetric custom_metric = {};                           ///< early stopping uses it instead of config.metric
  std::vector<std::size_t> rows = {};                        ///< fit only these rows; empty: all
  const data::Table* validation = nullptr;  ///< validation set; null: config.validation_fraction of the rows
  const model::Model* resume = nullptr;     ///< a checkpoint of the same fit
  ChoosingObserver choosing = {};           ///< called on the thread that called fit
  std::string backend = "cpu";
  core::Workers* workers = nullptr;      ///< null: one thread per CPU core
  comm::Communicator* comm = nullptr;    ///< the ranks that share the rows (see fit); null: a single process
  backend::FitDevice* device = nullptr;  ///< runs the steps; small candidates still run on the CPU
};

struct FitResult {
  model::Model model;
  config::ResolvedConfig config;  ///< the resolved and chosen parameters
  Stop stop = Stop::finished;
  std::optional<double> validation_metric = {};  ///< config.metric on the validation set; unset if it is the loss
  core::Message task_reason;                     ///< why this task was chosen; empty if it was given
  core::Message units_reason = {};               ///< why the network has this many units; empty if given
  std::vector<core::Message> notes;              ///< for the user, one clause each
};

/// Throws UsageError or DataError as the stages do, UsageError for options that the device does not support, and
/// core::Error if the device fails.
///
/// If no rows are drawn at random (subsample 1, no validation_fraction, solver lbfgs) and there are at most 16,384 of
/// them (boosting/rows/distinct_rows.hpp), the model is a function of the weighted set of rows, bit for bit: the row
/// order does not matter, and a row repeated k times equals a row of weight k.
///
/// Across ranks (options.comm), all ranks call fit with the same options and a table of their own rows, with the same
/// columns and levels (comm::merge_levels). Rows are numbered in rank order. All ranks return the same model, bit for
/// bit that of one process with all rows. Every rank calls its observer; only the result of rank 0's counts.
FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer = {});
/// The same, but releases the table's memory while encoding. Peak memory is little more than one copy of the features
/// plus a few numbers per row and output.
FitResult fit(data::Table&& table, const FitOptions& options, const Observer& observer = {});

/// Adds units to a finished model until it has options.config.units. Growing to 100 units and then to 200 gives the
/// same bits as 200 at once. Parameters that are not given keep the model's values. Ignores options.targets, task and
/// preset.
FitResult grow(const model::Model& model, const data::Table& table, const FitOptions& options,
               const Observer& observer = {});
FitResult grow(const model::Model& model, data::Table&& table, const FitOptions& options,
               const Observer& observer = {});  ///< releases the table's memory, as fit(Table&&) does

}  // namespace accrete::boosting
