#pragma once
// A deep network and its file: TorchScript that plain PyTorch loads (torch.jit.load), with one more entry in it,
// "accrete.json", that says what it is for and how it was made.

#include <torch/script.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "accrete/deep/examples/purpose.hpp"

namespace accrete::deep {

/// Ours have a method forward(inputs) -> predictions (probabilities, or values in the target's units), and submodules
///   prepare    inputs (examples.hpp) -> what the first layer takes
///   features   the part that is frozen: rows of numbers, N x F
///   head       the last dense layer and the output layer: features -> logits (or a standardised value)
/// A joined network (joined.hpp) has a grown head instead, and forward(inputs, units).
struct Network {
  torch::jit::Module module;
  std::optional<Purpose> purpose;  ///< nothing for a module that was not written by accrete
  nlohmann::json record;  ///< "arch", "training" (settings, curves, seconds), "head": whatever made it has to say
};

/// Written beside and renamed. Throws FileError.
void save_network(const Network& network, const std::string& path);

/// On the CPU, in evaluation mode. Throws FileError or DataError in one line: no file, no TorchScript, a damaged
/// record.
Network load_network(const std::string& path);

}  // namespace accrete::deep
