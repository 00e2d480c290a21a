#pragma once
// The subcommands of accrete deep, one file each; deep.cpp lists them.

#include <torch/types.h>

#include <string>
#include <vector>

#include "accrete/deep/dataset.hpp"
#include "accrete/deep/network_file.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

Run add_deep_train(CLI::App& app, const Common& common);
Run add_deep_boost(CLI::App& app, const Common& common);
Run add_deep_evaluate(CLI::App& app, const Common& common);
Run add_deep_features(CLI::App& app, const Common& common);

/// Where and how to read images or a table.
struct DatasetFlags {
  std::string path = {}, part = "train", target = {}, task = {}, delimiter = {};
  std::string given_part = {};  ///< --part, which overrides `part`; only for image folders
  std::vector<std::string> categorical = {};
  bool no_header = false;

  deep::DatasetSource source() const;  ///< throws UsageError
};

/// The data, --no-header and --delimiter.
void add_dataset_flags(CLI::App& app, DatasetFlags& flags);
/// --part train, test or every. `what` is what the rows are used for ("measure on").
void add_part_flag(CLI::App& app, DatasetFlags& flags, const std::string& what);
/// --target, --task and --categorical.
void add_dataset_target_flags(CLI::App& app, DatasetFlags& flags);

/// Reads a dataset for the network: with its signature, or, for a network not written by accrete, with that of the
/// dataset.
deep::DatasetWithSignature read_dataset_for(const deep::TorchNetwork& network, const deep::DatasetSource& source,
                                            core::Workers& workers);

/// --device cpu, cuda or auto. auto uses a GPU if libtorch finds one, and prints a note.
/// Throws UsageError for another name, core::Error if cuda is not available.
void add_torch_device_flag(CLI::App& app, std::string& device);
torch::Device open_torch_device(const std::string& device, const Common& common);

/// Applies --threads to libtorch.
void set_torch_threads(const Common& common);

}  // namespace accrete::cli
