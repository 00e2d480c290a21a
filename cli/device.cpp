#include "cli/device.hpp"

#include <fmt/format.h>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/core/error.hpp"
#include "cli/print.hpp"

namespace accrete::cli {

void add_device_flag(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "cpu, cuda (all fits at once on an NVIDIA GPU) or auto (default: cpu)")
      ->type_name("NAME");
}

std::unique_ptr<backend::ManyFits> open_machine(const std::string& device, const Common& common) {
  if (device == "cpu") return nullptr;
  if (device != "cuda" && device != "auto")
    throw core::UsageError(fmt::format("--device {}: must be cpu, cuda or auto", device));
  try {
    auto machine = cuda::open();
    note(common, fmt::format("fits are done on {}", machine->describe()));
    return machine;
  } catch (const core::Error& error) {
    if (device == "cuda") throw;
    note(common, fmt::format("fits are done on the CPU: {}", error.what()));
    return nullptr;
  }
}

}  // namespace accrete::cli
