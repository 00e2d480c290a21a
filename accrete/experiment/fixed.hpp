#pragma once
// Fits with settings that are given rather than searched for, on every test part of a task.

#include <string>
#include <vector>

#include "accrete/experiment/loaded.hpp"
#include "accrete/experiment/run.hpp"
#include "accrete/tune/records.hpp"

namespace accrete::experiment {

struct FixedFits {
  const LoadedTask& data;
  const Method& method;
  std::vector<tune::Settings> points;  ///< each is fitted to every training part
  std::vector<std::size_t> units;      ///< to score, of a method that has prefixes; else whole_model
  double work = 1.0;                   ///< of a fit, beside others on the same data
};

Ledger::FitBatch batch_of(const FixedFits& fits, const TaskSplits& cut);

/// Found in the store of the options, or run one to a thread and kept there; cut.text is part of what they are found
/// by. Point by point, part by part; nothing when it was stopped.
std::vector<tune::FitRecord> run_fixed(const FixedFits& fits, const TaskSplits& cut, const RunOptions& options,
                                       Ledger& ledger, core::Workers& workers);

}  // namespace accrete::experiment
