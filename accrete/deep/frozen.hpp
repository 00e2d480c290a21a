#pragma once
// The frozen part of a network: from inputs to features.

#include <torch/script.h>

#include <string>

#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

/// A module in evaluation mode, stripped of everything that inference does not need, that maps inputs (dataset.hpp) to
/// features, N x F. `cut` names the submodule whose output is used (cut.hpp); empty: "features" for a network written
/// by accrete, otherwise the module's own output. A network written by accrete prepares its inputs itself; any other
/// gets the output of prepare_module. An output of N x F x 1 x 1 is flattened. Throws as cut does.
torch::jit::Module freeze(const TorchNetwork& network, const Inputs& inputs, const std::string& cut);

}  // namespace accrete::deep
