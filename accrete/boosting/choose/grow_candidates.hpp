#pragma once
// Grows several candidates of one fit concurrently. A candidate has one network per held-out fold; its loss after a
// number of steps is the mean over the folds.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/encode.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/network/network.hpp"

namespace accrete::boosting {

/// Time spent on the steps of a candidate, over all folds.
struct StepTimes {
  std::atomic<std::size_t> steps = 0;
  std::atomic<double> seconds = 0.0;  ///< summed over folds, which may run concurrently
};

/// A setting under trial and how far it has grown.
struct Candidate {
  config::ResolvedConfig config;
  std::vector<const EncodedSplit*> folds;  ///< encoded as config says; each with validation rows
  std::vector<network::Network> networks = {};
  std::vector<Curves> curves = {};
  std::vector<double> held_out_loss = {};      ///< after 0, 1, 2, ... steps, mean over all folds
  std::vector<ValidationMetric> metrics = {};  ///< of each fold; empty: candidates are compared by their loss
  std::vector<double> held_out_metric = {};    ///< as held_out_loss; empty without metrics
  std::unique_ptr<StepTimes> times = std::make_unique<StepTimes>();

  std::size_t best_step() const;  ///< the earliest on ties
  std::size_t steps() const { return held_out_loss.empty() ? 0 : held_out_loss.size() - 1; }
  std::size_t units() const { return steps() * config.units_per_step; }
};

/// Small folds grow one per thread, large ones sequentially with all threads.
bool is_one_per_thread(const EncodedSplit& fold);

struct GrowthTask {
  std::size_t outputs;
  std::string backend;
  core::Workers& workers;
  /// Called after steps, only on the thread that constructed the object; false ends the growth.
  std::function<bool()> keep_going;
  backend::FitDevice* device = nullptr;  ///< runs large folds
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};
  std::function<bool()> is_out_of_time = {};  ///< as in TrainTask
  double min_learning_rate = 0.0;             ///< replaces a smaller learning rate of a candidate
};

class CandidateGrowth {
 public:
  explicit CandidateGrowth(const GrowthTask& task) : task_(task), caller_(std::this_thread::get_id()) {}

  /// Grows each candidate that has fewer units to this many, on every fold. If stopped early, a candidate's held-out
  /// loss covers the steps that all of its folds have finished.
  void grow_to(const std::vector<Candidate*>& candidates, std::size_t units);

  void stop() { stopped_ = true; }  ///< as if keep_going had returned false
  bool was_stopped() const { return stopped_; }

 private:
  void grow_fold(Candidate& candidate, std::size_t fold, std::size_t units, core::Workers& workers,
                 backend::FitDevice* device);

  GrowthTask task_;
  std::thread::id caller_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace accrete::boosting
