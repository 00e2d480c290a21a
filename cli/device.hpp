#pragma once
// --device: where many fits are done.

#include <memory>
#include <string>

#include "accrete/backend/many_fits.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// --device cpu, cuda or auto.
void add_device_flag(CLI::App& app, std::string& device);

/// Nothing for the CPU. auto takes a GPU where there is one, and says which it took. Throws UsageError for another
/// word, core::Error when cuda is asked for and is not there.
std::unique_ptr<backend::ManyFits> open_machine(const std::string& device, const Common& common);

}  // namespace accrete::cli
