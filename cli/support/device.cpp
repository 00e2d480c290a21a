#include "cli/support/device.hpp"

#include "accrete/backend/cuda/open_named.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {

void add_device_flag(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "device of the fit: cpu, cuda (NVIDIA GPU) or auto (default: cpu)")
      ->type_name("NAME");
}

std::unique_ptr<backend::FitDevice> open_device(const std::string& device, const Common& common,
                                                comm::Communicator& comm) {
  cuda::DeviceChoice choice = cuda::open_named(device, comm);
  if (!choice.note.empty()) note(common, choice.note);
  return std::move(choice.device);
}

}  // namespace accrete::cli
