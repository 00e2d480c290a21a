#pragma once
// A training checkpoint between two epochs: weights, optimizer state and curves.

#include <torch/torch.h>

#include <nlohmann/json.hpp>
#include <string>

#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct Checkpoint {
  nlohmann::json settings;  ///< everything that affects the result
  nlohmann::json curves;    ///< of the finished epochs
};

/// Writes the file atomically. Throws FileError.
void save_checkpoint(const Checkpoint& checkpoint, const TorchNetwork& network,
                     const torch::optim::Optimizer& optimizer, const std::string& path);

/// Restores weights and optimizer state and returns the curves. Throws FileError if the file is not a checkpoint, and
/// UsageError that names the first setting that differs.
nlohmann::json load_checkpoint(const nlohmann::json& settings, TorchNetwork& network,
                               torch::optim::Optimizer& optimizer, const std::string& path);

}  // namespace accrete::deep
