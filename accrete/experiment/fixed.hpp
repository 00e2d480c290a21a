#pragma once
// Fits with given settings, instead of searched ones, on every test part of a task.

#include <string>
#include <vector>

#include "accrete/experiment/loaded.hpp"
#include "accrete/experiment/run.hpp"
#include "accrete/tune/records.hpp"

namespace accrete::experiment {

struct FixedFits {
  const LoadedTask& data;
  const PaperMethod& method;
  std::vector<tune::Settings> points;  ///< each is fitted on every training part
  std::vector<std::size_t> units;      ///< numbers of units to score if the method has prefixes, otherwise whole_model
  double work = 1.0;                   ///< relative work of a fit, compared to others on the same data
};

RunCounter::FitBatch batch_of(const FixedFits& fits, const TaskSplits& task_splits);

/// Each fit is looked up in the options' store, or else run on one thread and stored; task_splits.text is part of the
/// key. Records are ordered by point, then by part; empty if stopped.
std::vector<tune::FitRecord> run_fixed(const FixedFits& fits, const TaskSplits& task_splits,
                                       const ExperimentOptions& options, RunCounter& ledger, core::Workers& workers);

}  // namespace accrete::experiment
