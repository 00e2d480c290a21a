#include "cli/device.hpp"

#include "accrete/backend/cuda/choose.hpp"
#include "cli/print.hpp"

namespace accrete::cli {

void add_device_flag(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "where the network grows: cpu, cuda (an NVIDIA GPU) or auto (default: cpu)")
      ->type_name("NAME");
}

std::unique_ptr<backend::ManyFits> open_machine(const std::string& device, const Common& common) {
  cuda::Choice choice = cuda::choose(device);
  if (!choice.note.empty()) note(common, choice.note);
  return std::move(choice.machine);
}

}  // namespace accrete::cli
