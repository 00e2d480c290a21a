#pragma once
// --device: where fits are done.

#include <memory>
#include <string>

#include "accrete/backend/many_fits.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// --device cpu, cuda or auto.
void add_device_flag(CLI::App& app, std::string& device);

/// As cuda::choose, saying what was taken.
std::unique_ptr<backend::ManyFits> open_machine(const std::string& device, const Common& common);

}  // namespace accrete::cli
