#pragma once
// A deep network and its file: TorchScript that plain PyTorch loads (torch.jit.load), with an additional entry
// "accrete.json" that describes its inputs, outputs and training.

#include <torch/script.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "accrete/deep/signature.hpp"

namespace accrete::deep {

/// Networks written by accrete have a method forward(inputs) -> predictions (probabilities, or values in the target's
/// units), and submodules
///   prepare    inputs (dataset.hpp) -> input of the first layer
///   features   the frozen part: rows of numbers, N x F
///   head       the last dense layer and the output layer: features -> logits (or a standardised value)
/// A joined network (joined.hpp) has a grown head instead, and forward(inputs, units).
struct TorchNetwork {
  torch::jit::Module module;
  std::optional<Signature> signature;  ///< unset for a module that was not written by accrete
  nlohmann::json record;               ///< how it was made: "arch", "training" (settings, curves, seconds), "head"
};

/// Writes the file atomically. Throws FileError.
void save_network(const TorchNetwork& network, const std::string& path);

/// Loads to the CPU, in evaluation mode. Throws a one-line FileError or DataError: no file, not TorchScript, or a
/// damaged record.
TorchNetwork load_network(const std::string& path);

}  // namespace accrete::deep
