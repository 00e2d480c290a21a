#pragma once
// Opens a device by its name, the value of the parameter `device`.

#include <memory>
#include <string>

#include "accrete/backend/fit_device.hpp"

namespace accrete::cuda {

struct DeviceChoice {
  std::unique_ptr<backend::FitDevice> device;  ///< null: the CPU
  std::string note;                            ///< which device runs the fits, and why; empty for "cpu"
};

/// cpu, cuda, or auto: a GPU if there is one, else the CPU. Throws UsageError for another name, and core::Error if cuda
/// is given and not available.
DeviceChoice choose(const std::string& device);

}  // namespace accrete::cuda
