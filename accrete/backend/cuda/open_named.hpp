#pragma once
// Opens a device by name, the value of the parameter `device`.

#include <memory>
#include <string>

#include "accrete/backend/fit_device.hpp"
#include "accrete/comm/communicator.hpp"

namespace accrete::cuda {

struct DeviceChoice {
  std::unique_ptr<backend::FitDevice> device;  ///< null: the CPU
  std::string note;                            ///< which device runs fits, and why; empty for "cpu"
};

/// device: cpu, cuda, or auto (a GPU if available on all ranks, else the CPU). The GPUs of a host are assigned to its
/// ranks round-robin. Throws on all ranks: UsageError for another name, and core::Error for cuda if it is not available
/// on all.
DeviceChoice open_named(const std::string& device, comm::Communicator& comm = comm::one_process());

}  // namespace accrete::cuda
