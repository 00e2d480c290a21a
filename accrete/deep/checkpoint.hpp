#pragma once
// Training put aside in a file between two epochs: weights, the solver's moments, and how far it had come.

#include <torch/torch.h>

#include <nlohmann/json.hpp>
#include <string>

#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct Checkpoint {
  nlohmann::json settings;  ///< what another end would follow from if it were different
  nlohmann::json curves;    ///< of the epochs that are done
};

/// Written beside and renamed. Throws FileError.
void save_checkpoint(const Checkpoint& checkpoint, const Network& network, const torch::optim::Optimizer& optimizer,
                     const std::string& path);

/// Puts weights and moments back and returns the curves. Throws FileError when the file is none, UsageError when it was
/// made with other settings than these, naming the first.
nlohmann::json load_checkpoint(const nlohmann::json& settings, Network& network, torch::optim::Optimizer& optimizer,
                               const std::string& path);

}  // namespace accrete::deep
