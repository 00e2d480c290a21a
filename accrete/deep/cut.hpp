#pragma once
// A TorchScript module cut off behind one of its submodules.

#include <torch/script.h>

#include <string>

namespace accrete::deep {

/// A copy whose forward takes one tensor and gives what the submodule `name` gives on the way ("features",
/// "classifier.3"); what comes after is not computed. Empty: the module's own output. Inputs after the first take their
/// defaults. In evaluation mode. Throws UsageError in one line: no such submodule (those there are listed), called in a
/// branch or loop, several times or never, another input is needed, or what is given is no tensor.
torch::jit::Module cut(const torch::jit::Module& module, const std::string& name);

}  // namespace accrete::deep
