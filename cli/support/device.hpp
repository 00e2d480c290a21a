#pragma once
// --device: where fits run.

#include <memory>
#include <string>

#include "accrete/backend/fit_device.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// --device cpu, cuda or auto.
void add_device_flag(CLI::App& app, std::string& device);

/// Calls cuda::open_named and prints its note.
std::unique_ptr<backend::FitDevice> open_device(const std::string& device, const Common& common,
                                                comm::Communicator& comm = comm::one_process());

}  // namespace accrete::cli
