#pragma once
// Creates an empty TorchScript module, to be filled with parameters, buffers and submodules, then define().

#include <torch/script.h>

#include <string>

namespace accrete::deep {

/// Registers the attribute `training`, which a new module lacks: eval() and train() set it, and dropout reads it.
inline torch::jit::Module new_module(const std::string& name) {
  torch::jit::Module module("__torch__.accrete." + name);
  module.register_attribute("training", c10::BoolType::get(), true);
  return module;
}

}  // namespace accrete::deep
