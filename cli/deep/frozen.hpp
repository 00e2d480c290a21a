#pragma once
// Shared by deep boost and deep features: a frozen backbone and its features.

#include <string>

#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/deep/frozen.hpp"
#include "cli/deep/deep.hpp"

namespace accrete::cli {

struct FrozenFlags {
  std::string network;
  DatasetFlags dataset{.part = "train"};
  std::string cut, feature_file;
  std::int64_t batch = 256;
  std::string device = "auto";
};

/// The network, the data, --cut, --part, --target, --task, --categorical, --batch, --device and --feature-file. `what`
/// is what the rows of --part are used for ("train on").
void add_frozen_flags(CLI::App& app, FrozenFlags& flags, const std::string& what);

struct FrozenBackbone {
  deep::TorchNetwork network;
  deep::Signature signature;  ///< as read_dataset_for returns it
  torch::jit::Module module;
  data::Table table;  ///< features, and the target, if present, as the last column
  bool has_target;
  double seconds;  ///< time for the features
};

/// Throws Interrupted after Ctrl-C.
FrozenBackbone compute_features(const FrozenFlags& flags, const Common& common, core::Workers& workers);

}  // namespace accrete::cli
