#pragma once
// The parts of accrete deep, one file each; deep.cpp lists them.

#include <torch/types.h>

#include <string>
#include <vector>

#include "accrete/deep/examples.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

Run add_deep_train(CLI::App& app, const Common& common);
Run add_deep_boost(CLI::App& app, const Common& common);
Run add_deep_evaluate(CLI::App& app, const Common& common);
Run add_deep_features(CLI::App& app, const Common& common);

/// Where examples are read from, and how.
struct ExampleFlags {
  std::string path = {}, part = "train", target = {}, task = {}, delimiter = {};
  std::string given_part = {};  ///< in place of `part`, of a folder of images only
  std::vector<std::string> categorical = {};
  bool no_header = false;

  deep::Source source() const;  ///< throws UsageError
};

/// The data, --no-header and --delimiter.
void add_example_flags(CLI::App& app, ExampleFlags& flags);
/// --part train, test or every; `what` are the examples for.
void add_part_flag(CLI::App& app, ExampleFlags& flags, const std::string& what);
/// --target, --task and --categorical, for data that a network is to learn from.
void add_example_target_flags(CLI::App& app, ExampleFlags& flags);

/// --device cpu, cuda or auto, and what it means here: auto takes a GPU where there is one, and says which it took.
/// Throws UsageError for another word, core::Error when cuda is asked for and is not there.
void add_torch_device_flag(CLI::App& app, std::string& device);
torch::Device open_torch_device(const std::string& device, const Common& common);

/// libtorch works with as many threads as the rest.
void set_torch_threads(const Common& common);

}  // namespace accrete::cli
