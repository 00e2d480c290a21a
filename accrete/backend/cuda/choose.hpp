#pragma once
// Opens a device by name, the value of the parameter `device`.

#include <memory>
#include <string>

#include "accrete/backend/fit_device.hpp"

namespace accrete::cuda {

struct DeviceChoice {
  std::unique_ptr<backend::FitDevice> device;  ///< null: the CPU
  std::string note;                            ///< which device runs fits, and why; empty for "cpu"
};

/// device: cpu, cuda, or auto (a GPU if available, else the CPU). Throws UsageError for another name, and core::Error
/// for cuda if it is not available.
DeviceChoice choose(const std::string& device);

}  // namespace accrete::cuda
