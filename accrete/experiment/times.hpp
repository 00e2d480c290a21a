#pragma once
// Fit times: the paper's figure of seconds against units, and its table of seconds.

#include <array>

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/run.hpp"

namespace accrete::experiment {

inline constexpr std::array<std::string_view, 2> time_figure_tasks{"power", "ilpd"};
inline constexpr std::array<std::string_view, 3> time_figure_methods{"gbnn", "adam", "deep"};
inline constexpr std::array<std::string_view, 5> time_methods{"gbnn", "deep", "adam", "lbfgs", "sgd"};

/// Fits run sequentially on one thread, because concurrent fits would disturb the measurement; `workers` only read the
/// data. A time found in the store is not measured again.
///
/// The boosted network uses the settings, and SGD the schedule, that the table's cell of the same profile chose most
/// often; without such a cell, the defaults. Results of experiment "times", for the figure's tasks and methods, with
/// early stopping and with all epochs:
///   {"folds": 10, "settings": {...}, "early": {"units": [20, ...], "mean": [...], "se": [...]}, "full": {...}}
/// Results of "times-table", for every task, with 200 units (or three layers of 100):
///   {"folds": 10, "settings": {...}, "settings_from": "table" or "defaults", "mean": 0.3, "sd": 0.1}
/// Throws as run_table does.
RunCounts run_times(const ExperimentOptions& options, core::Workers& workers);

}  // namespace accrete::experiment
