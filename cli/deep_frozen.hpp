#pragma once
// What deep boost and deep features share: a network's frozen part, and what it makes of examples.

#include <string>

#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/deep/frozen.hpp"
#include "cli/deep.hpp"

namespace accrete::cli {

struct FrozenFlags {
  std::string network;
  ExampleFlags examples{.part = "train"};
  std::string cut;
  std::int64_t batch = 256;
  std::string device = "auto";
};

/// The network, the data, --cut, --part, --target and its kin, --batch and --device. The examples of --part are for
/// `what`.
void add_frozen_flags(CLI::App& app, FrozenFlags& flags, const std::string& what);

struct Frozen {
  deep::Network network;
  deep::Purpose purpose;  ///< the network's; of a foreign one, the data's
  torch::jit::Module module;
  data::Table table;  ///< features, and the target as the last column where there is one
  bool has_target;
  double seconds;  ///< for the features
};

/// Throws Interrupted when Ctrl-C came before all features were there.
Frozen compute_features(const FrozenFlags& flags, const Common& common, core::Workers& workers);

}  // namespace accrete::cli
