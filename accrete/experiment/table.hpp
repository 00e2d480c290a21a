#pragma once
// The paper's table: each method on each task, its settings chosen inside every training part, scored on the rows that
// were left out.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/methods.hpp"
#include "accrete/experiment/outcome.hpp"
#include "accrete/experiment/tasks.hpp"

namespace accrete::experiment {

/// Where a run stands. A fit weighs the cells it trains on, so that the time left can be told from the work left.
struct Standing {
  std::size_t fits = 0, planned = 0;
  double work = 0.0;  ///< from 0 to 1
  const Task* task = nullptr;
  const Method* method = nullptr;
};

struct TableOptions {
  std::string folder;  ///< of the data
  std::vector<const Task*> tasks;
  std::vector<const Method*> methods;
  Profile profile;
  std::uint64_t seed = 0;
  store::Store* store = nullptr;         ///< not null
  backend::ManyFits* machine = nullptr;  ///< for the boosted network's fits; null: the CPU
  std::function<void(const Standing&)> news = {};
  std::function<void(const Cell&)> kept = {};  ///< after each cell
  std::function<bool()> stop = {};
};

struct TableRun {
  std::size_t fits = 0, found = 0, planned = 0;
  bool stopped = false;
};

/// Cells are kept as they are done. Data of all tasks is read before the first fit, so that what is wrong with any is
/// said at once. Throws as reading, folds, fits and the store do.
TableRun run_table(const TableOptions& options, core::Workers& workers);

}  // namespace accrete::experiment
