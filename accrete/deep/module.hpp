#pragma once
// A TorchScript module to be filled: parameters, buffers, submodules, then define().

#include <torch/script.h>

#include <string>

namespace accrete::deep {

/// Made here it would not have what eval() and train() set, and dropout asks for.
inline torch::jit::Module new_module(const std::string& name) {
  torch::jit::Module module("__torch__.accrete." + name);
  module.register_attribute("training", c10::BoolType::get(), true);
  return module;
}

}  // namespace accrete::deep
