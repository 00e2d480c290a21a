#pragma once
// Truncates a TorchScript module after one of its submodules.

#include <torch/script.h>

#include <string>

namespace accrete::deep {

/// A copy in evaluation mode whose forward takes one tensor and returns the output of the submodule `name` ("features",
/// "classifier.3"); later layers are not computed. Empty name: the module's own output. Inputs after the first get
/// their defaults. Throws a one-line UsageError if there is no such submodule (listing those there are), if it is
/// called in a branch or loop, several times or never, if forward requires another input, or if the output is not a
/// tensor.
torch::jit::Module cut(const torch::jit::Module& module, const std::string& name);

}  // namespace accrete::deep
