#pragma once
// Options, progress and results that all experiments share.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/experiment/methods.hpp"
#include "accrete/experiment/tasks.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::experiment {

/// Progress of a run. Work is measured in cells trained on, from which the remaining time can be estimated.
struct RunProgress {
  std::size_t fits = 0, planned = 0;
  double work = 0.0;  ///< from 0 to 1
  std::string_view task, method;
};

/// A result that was just stored, summarised as one metric.
struct StoredResult {
  std::string_view task, method;
  std::string metric;  ///< metric of the summary: accuracy, rmse or seconds
  tune::Summary summary;
};

struct ExperimentOptions {
  std::string folder;  ///< folder of the data; unused by experiments that generate theirs
  std::vector<const PaperTask*> tasks;
  std::vector<const PaperMethod*> methods;
  Profile profile;
  std::uint64_t seed = 0;
  store::Store* store = nullptr;         ///< must not be null on rank 0
  backend::FitDevice* device = nullptr;  ///< runs the boosted fits of `table`; null: the CPU
  std::function<void(const RunProgress&)> on_progress = {};
  std::function<void(const StoredResult&)> on_result = {};
  std::function<bool()> stop = {};
  comm::Communicator* comm = &comm::one_process();  ///< ranks that share the fits of `table` and `curves`
};

struct RunCounts {
  std::size_t fits = 0, found = 0, planned = 0;
  bool stopped = false;
};

/// Counts the fits of a run over all its cells and reports changes to the observers.
///
/// Call sequence: plan() for every batch of fits; then for each batch begin(), progress() repeatedly, end().
class RunCounter {
 public:
  explicit RunCounter(const ExperimentOptions& options) : options_(options) {}

  /// Fits that take about the same work, in any unit.
  struct FitBatch {
    std::string_view task, method;
    std::size_t fits;
    double work;  ///< per fit
  };

  void plan(const FitBatch& batch);
  void begin(const FitBatch& batch);
  void progress(std::size_t done);
  void end(std::size_t done, std::size_t found);

  RunCounts counts(bool stopped) const { return {progress_.fits, found_, progress_.planned, stopped}; }

 private:
  const ExperimentOptions& options_;
  RunProgress progress_;
  FitBatch at_{};
  std::size_t before_ = 0, found_ = 0;
  double work_ = 0.0, all_work_ = 0.0;
};

/// Stores the result on rank 0 and reports it to the observer.
void keep(const ExperimentOptions& options, const store::Result& result, const StoredResult& kept);

}  // namespace accrete::experiment
