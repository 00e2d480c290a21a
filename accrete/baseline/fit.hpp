#pragma once
// From a table to a model of one of the plain methods, as boosting::fit makes a grown one.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accrete/baseline/parameters.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/model/model.hpp"

namespace accrete::baseline {

/// What an observer sees after each epoch or iteration (network), or after each network (adaboost).
struct Progress {
  std::size_t done, most;
  double loss;  ///< the objective, in training units; adaboost: the weighted error of the last network
};

/// Called as the fit goes on; false ends it with the model as it stands.
using Observer = std::function<bool(const Progress&)>;

struct FitOptions {
  model::Method method = model::Method::network;  ///< network or adaboost
  std::vector<std::string> targets;               ///< column names or indices; empty: the last column
  std::optional<data::Task> task;                 ///< empty: chosen from the target
  std::vector<Setting> overrides;                 ///< parameters by name, as text
  std::string weight_column;                      ///< sample weights; empty: none
  std::vector<std::size_t> rows;                  ///< fit on these rows only; empty: all
  core::Workers* workers = nullptr;               ///< empty: all threads of the machine
};

struct FitResult {
  model::Model model;
  Config config;
  bool stopped = false;            ///< by the observer
  std::string ending;              ///< why training ended, one clause
  std::string task_reason;         ///< why this task was taken; empty when it was given
  std::vector<std::string> notes;  ///< what the user should know, one clause each
};

/// Bits follow from rows, parameters and seed, not from the number of threads. The target of a regression is used as it
/// is unless standardise_target is on. Throws UsageError or DataError as boosting::fit does; also UsageError for
/// AdaBoost with several targets.
FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer = {});

}  // namespace accrete::baseline
