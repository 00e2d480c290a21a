#pragma once
// The frozen part of a network: from inputs to features.

#include <torch/script.h>

#include <string>

#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

/// A module in evaluation mode, without what is not needed for it, that maps inputs (examples.hpp) to features, N x F.
/// `cut` names the submodule whose output is taken (cut.hpp); empty: "features" of a network written by accrete, else
/// the module's own output. Such a network prepares its inputs itself; any other is given what prepare_module makes of
/// them. An output of N x F x 1 x 1 is taken as N x F. Throws as cut does.
torch::jit::Module freeze(const Network& network, const Inputs& inputs, const std::string& cut);

}  // namespace accrete::deep
