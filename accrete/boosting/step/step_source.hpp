#pragma once
// Where the loop gets its steps from: the CPU backend, or a device that runs complete steps.

#include <cstddef>
#include <memory>

#include "accrete/backend/fit_device.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/network/network.hpp"

namespace accrete::boosting {

/// How the training loss is measured: on the rows of a backend, or by the device.
struct MonitoredRows {
  backend::TrainingRows* rows;  ///< with a device: rows to replay existing steps on, or null
  double start_loss = 0.0;      ///< with a device: before the first step
  bool on_device = false;       ///< the rows are not used after the replay
};

class StepSource {
 public:
  virtual ~StepSource() = default;
  virtual MonitoredRows monitored() = 0;
  /// The next block, scaled by Newton step and learning rate; only a device sets its training loss. Steps are taken in
  /// order, at most up to `planned`.
  virtual backend::DeviceStep next(std::size_t step, std::size_t planned) = 0;
};

/// A source that continues `network`. The task must outlive it.
std::unique_ptr<StepSource> make_step_source(const TrainTask& task, const network::Network& network);

}  // namespace accrete::boosting
