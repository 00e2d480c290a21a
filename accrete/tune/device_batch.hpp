#pragma once
// A batch of boosted fits for a device that runs many at once. Rows are encoded once for all fits that share them; the
// scores returned by the device are converted to predictions.
//
// Use: construct with a table and a device, add() every fit, run(), then predictions() of each finished fit.

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/data/split.hpp"
#include "accrete/model/model.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

class DeviceBatch {
 public:
  /// Which prefixes of a network to score.
  enum class Scored { listed, whole, every_step };

  DeviceBatch(const data::Table& table, backend::FitDevice& device) : table_(table), device_(device) {}

  /// Adds a fit on the split's training rows that scores its test rows after the listed numbers of units. Unset
  /// parameters are chosen during this call, with options.workers and the device. As on the CPU, a fit has no units if
  /// the target is constant or the choice finds nothing better; its constant then counts as every listed number. Throws
  /// UsageError if the device does not support the fit.
  void add(const data::Split& split, boosting::FitOptions options, Scored scored,
           std::span<const std::size_t> units = {});

  /// Runs all fits; same contract as FitDevice::fit.
  bool run(const backend::FitCallbacks& callbacks) const { return device_.fit(rows_, fits_, callbacks); }

  std::size_t size() const { return fits_.size(); }
  const backend::FitRequest& fit(std::size_t which) const { return fits_[which]; }
  const model::Model& model(std::size_t which) const { return models_[fits_[which].rows]; }  ///< without units
  std::size_t units(std::size_t which) const;  ///< of the complete network

  /// Predictions for the test rows with the prefix FitRequest::prefixes[prefix].
  core::Matrix<double> predictions(std::size_t which, const backend::FitScores& scores, std::size_t prefix) const;

 private:
  std::size_t rows_for(const data::Split& split, boosting::FitOptions options, config::ResolvedConfig& config);

  const data::Table& table_;
  backend::FitDevice& device_;
  std::map<std::pair<const data::Split*, std::string>, std::size_t> known_;
  std::vector<backend::SharedData> rows_;
  std::vector<model::Model> models_;  ///< one per entry of rows_
  std::vector<bool> is_constant_;     ///< of each entry of rows_: PreparedFit::is_constant
  std::vector<backend::FitRequest> fits_;
};

/// Implements Method::fit_many for a batch with one fit per task, in task order. `start` is when the work began.
bool run_tasks(const DeviceBatch& batch, std::span<const FitTask> tasks, std::chrono::steady_clock::time_point start,
               const std::function<void(std::size_t, FitRecord)>& done, const std::function<bool()>& stop);

}  // namespace accrete::tune
