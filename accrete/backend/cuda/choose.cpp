#include "accrete/backend/cuda/choose.hpp"

#include <fmt/format.h>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {

Choice choose(const std::string& device) {
  if (device == "cpu") return {};
  if (device != "cuda" && device != "auto")
    throw core::UsageError(fmt::format("--device {}: must be cpu, cuda or auto", device));
  try {
    auto machine = open();
    std::string note = fmt::format("fits are done on {}", machine->describe());
    return {std::move(machine), std::move(note)};
  } catch (const core::Error& error) {
    if (device == "cuda") throw;
    return {nullptr, fmt::format("fits are done on the CPU: {}", error.what())};
  }
}

}  // namespace accrete::cuda
