#pragma once
// From a table to a model: target, weights, encoder, the loop, the assembled network.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/backend/many_fits.hpp"
#include "accrete/boosting/parameters.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// What an observer of a fit sees after each step. Losses are in the target's units.
struct Progress {
  std::size_t step, steps, units;
  double train_loss;
  std::optional<double> validation_loss;
  std::function<model::Model()> snapshot;  ///< the model as it stands: a checkpoint, or what Ctrl-C leaves
};

/// Called after each step; false stops the fit with a valid model.
using Observer = std::function<bool(const Progress&)>;

/// Called while settings are tried on rows held out: steps done, and about how many there will be. False ends the fit
/// with the best network found so far.
using ChoosingObserver = std::function<bool(std::size_t, std::size_t)>;

struct FitOptions {
  std::vector<std::string> targets;  ///< column names or indices; empty: the last column
  std::optional<data::Task> task;    ///< empty: chosen from the target
  std::string preset = "default";
  std::vector<Setting> overrides;           ///< parameters by name, as text
  std::string weight_column;                ///< sample weights (2: the row twice, 0: absent); empty: none
  std::vector<std::size_t> rows;            ///< fit on these rows only; empty: all
  const data::Table* validation = nullptr;  ///< a validation table; else config.validation_fraction decides
  const model::Model* resume = nullptr;     ///< a checkpoint of the same fit to go on from
  ChoosingObserver choosing = {};           ///< asked by the thread that called
  std::string backend = "cpu";
  core::Workers* workers = nullptr;      ///< empty: all threads of the machine
  backend::ManyFits* machine = nullptr;  ///< takes the steps of a fresh fit; settings are chosen here all the same
};

struct FitResult {
  model::Model model;
  Config config;  ///< as resolved and chosen
  Stop stop = Stop::finished;
  std::string task_reason;         ///< why this task was taken; empty when it was given
  std::vector<std::string> notes;  ///< what the user should know, one clause each
};

/// Where no rows are drawn at random (all rows in a step, no validation part of them, solver lbfgs) and there are at
/// most 16,384 (boosting/distinct_rows.hpp), the model follows from the weighted set of rows bit for bit: their order
/// does not matter, nor whether a row comes k times or has weight k. Throws UsageError or DataError as the parts do;
/// see data/target.hpp and boosting/preset.hpp; UsageError naming what the machine cannot do, and core::Error when it
/// fails.
FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer = {});
/// The same from a table that is not needed any more: its memory is given back as its rows are encoded, so that the fit
/// takes little more than one copy of the features and a few numbers per row and output.
FitResult fit(data::Table&& table, const FitOptions& options, const Observer& observer = {});

/// Goes on from a finished model until it has the units of overrides["units"]: 100 and then 100 more gives the bits
/// of 200 at once. The model's parameters hold unless overridden. options.targets, task and preset are the model's.
FitResult grow(const model::Model& model, const data::Table& table, const FitOptions& options,
               const Observer& observer = {});
FitResult grow(const model::Model& model, data::Table&& table, const FitOptions& options,
               const Observer& observer = {});  ///< takes the table over, as fit does

}  // namespace accrete::boosting
