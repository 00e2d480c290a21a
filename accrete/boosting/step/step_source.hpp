#pragma once
// Where the steps of the loop come from: the CPU's backend, or a device that takes them itself.

#include <cstddef>
#include <memory>

#include "accrete/backend/fit_device.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/network/network.hpp"

namespace accrete::boosting {

/// How the training loss is measured: on rows of a backend, or by the device.
struct MonitoredRows {
  backend::TrainingRows* rows;  ///< with a device: rows to replay existing steps on, or null
  double start_loss = 0.0;      ///< with a device: before the first step
  bool on_device = false;       ///< the rows are not used after the replay
};

class StepSource {
 public:
  virtual ~StepSource() = default;
  virtual MonitoredRows monitored() = 0;
  /// The next block, scaled by Newton step and learning rate; its training loss is set by a device only. Steps are
  /// taken in order up to `planned`.
  virtual backend::DeviceStep next(std::size_t step, std::size_t planned) = 0;
};

/// For a fit that continues the network. The task must outlive the source.
std::unique_ptr<StepSource> make_step_source(const TrainTask& task, const network::Network& network);

}  // namespace accrete::boosting
