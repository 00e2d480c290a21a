#pragma once
// From a table to a model of a plain method.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accrete/baseline/parameters.hpp"
#include "accrete/core/message.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/model/model.hpp"

namespace accrete::baseline {

/// What an observer receives after each epoch or iteration (network), or after each network (adaboost).
struct Progress {
  std::size_t done, max;
  double loss;  ///< the objective in training units; adaboost: weighted error of the last network
};

/// Called during the fit; false stops it with a valid model.
using Observer = std::function<bool(const Progress&)>;

struct FitOptions {
  model::Method method = model::Method::network;  ///< network or adaboost
  std::vector<std::string> targets = {};          ///< column names or indices; empty: the last column
  std::optional<data::Task> task = {};            ///< unset: inferred from the target
  Config config = {};                             ///< parameters; unset ones are the method's defaults
  std::string weight_column = {};                 ///< sample weights; empty: none
  std::vector<std::size_t> rows = {};             ///< fit only these rows; empty: all
  core::Workers* workers = nullptr;               ///< null: one thread per CPU core
};

struct FitResult {
  model::Model model;
  ResolvedConfig config;
  bool stopped = false;              ///< the observer stopped it
  std::string ending;                ///< why training ended, one clause
  core::Message task_reason;         ///< why this task was chosen; empty if it was given
  std::vector<core::Message> notes;  ///< for the user, one clause each
};

/// The result depends on rows, parameters and seed only; it is bit-identical for any number of threads. Throws
/// UsageError or DataError as boosting::fit does; also UsageError for AdaBoost with several targets.
FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer = {});

}  // namespace accrete::baseline
