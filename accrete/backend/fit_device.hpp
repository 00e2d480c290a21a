#pragma once
// The interface of a device that runs complete fits: many at once, returning scores of test rows, or a single one,
// returning its steps as blocks of a network. backend/cuda implements it; boosting/train.cpp runs the same fit on the
// CPU.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/network/block.hpp"

namespace accrete::backend {

/// Rows shared by several fits.
struct SharedData {
  data::Dataset train;
  data::Features test;
};

/// One fit. It makes the same random draws as on the CPU; the seed is in the config.
struct FitRequest {
  std::size_t rows = 0;  ///< index into the shared data
  config::ResolvedConfig config;
  std::vector<double> start;          ///< start score of each output
  std::vector<std::size_t> prefixes;  ///< steps after which to score, never descending, at most the fit's steps
};

struct FitScores {
  double train_loss = 0.0;                     ///< weighted mean, in training units; not finite if the fit diverged
  std::vector<core::Matrix<double>> prefixes;  ///< test rows x outputs for each of FitRequest::prefixes
};

/// Called on the thread that called fit.
struct FitCallbacks {
  std::function<void(std::size_t fit, const FitScores&)> done = {};  ///< a fit has finished
  std::function<bool()> stop = {};                                   ///< polled; true ends the fits early
  std::function<void(double)> launched = {};  ///< device seconds of a launch, by the device's clock
};

/// A step taken on the device.
struct DeviceStep {
  network::Block block;     ///< already scaled by Newton step and learning rate
  double train_loss = 0.0;  ///< after the step: weighted mean, in training units
};

/// Cost of a single fit to date.
struct FitCost {
  std::size_t evaluations = 0;
  double seconds = 0.0;  ///< by the device's clock
};

/// A single fit whose rows and scores are resident on the device.
class DeviceFit {
 public:
  virtual ~DeviceFit() = default;
  virtual double train_loss() const = 0;  ///< at the current scores
  /// Continues a fit from `steps` existing steps (at least one), which gave these scores, rows x outputs.
  virtual void resume_from(std::size_t steps, core::MatrixView<const double> scores) = 0;
  /// Takes `steps` further steps. Throws core::Error if the device fails.
  virtual std::vector<DeviceStep> grow(std::size_t steps) = 0;
  virtual FitCost cost() const { return {}; }  ///< zero if the device does not measure it
};

/// Why this fit cannot run on any device; empty if it can.
inline std::string cpu_only_reason(const config::ResolvedConfig& config) {
  if (config.solver != "lbfgs") return "the solver " + config.solver + " runs on the CPU only";
  if (config.loss == "custom") return "custom losses run on the CPU only";
  if (!config.quantiles.empty()) return "fits of several quantiles run on the CPU only";
  return config::is_constrained(config) ? "monotone and interaction constraints run on the CPU only" : "";
}

/// A device that runs complete fits.
class FitDevice {
 public:
  virtual ~FitDevice() = default;
  virtual std::string name() const = 0;      ///< one word, stored in records of its fits
  virtual std::string describe() const = 0;  ///< model and properties, for messages
  /// Why this device cannot run such a fit; empty if it can.
  virtual std::string unsupported_reason(const config::ResolvedConfig& config, std::size_t outputs) const = 0;
  /// Runs the fits, in several launches if they exceed the device's memory. Returns false if stopped early. Throws
  /// core::Error if the device fails or a single fit is too large for it.
  virtual bool fit(std::span<const SharedData> rows, std::span<const FitRequest> fits,
                   const FitCallbacks& callbacks) = 0;
  /// True if the device runs complete steps of such a fit (begin). If false, it evaluates the steps that the CPU's loop
  /// takes (make_rows).
  virtual bool runs_steps(const data::Features& features, const config::ResolvedConfig& config,
                          std::size_t outputs) const = 0;
  /// Starts one fit on the whole device, which must run its steps. start: start scores. Copies the rows.
  virtual std::unique_ptr<DeviceFit> begin(const data::Dataset& rows, const config::ResolvedConfig& config,
                                           std::span<const double> start) = 0;
  /// Rows that are evaluated on the device, while the loop runs on the CPU. They may be those of one rank of several.
  virtual std::unique_ptr<TrainingRows> make_rows(const TrainingProblem& problem) = 0;
};

}  // namespace accrete::backend
