#pragma once
// Small TorchScript modules that were not written by accrete.

#include <torch/script.h>

#include <string>
#include <utility>
#include <vector>

namespace accrete::deep_test {

namespace jit = torch::jit;

/// x -> act(x W' + b), weights drawn from the seed.
inline jit::Module linear(std::int64_t in, std::int64_t out, std::uint64_t seed, const std::string& act = "relu") {
  auto generator = torch::make_generator<at::CPUGeneratorImpl>(seed);
  jit::Module module("__torch__.other.Linear");
  module.register_parameter("weight", torch::randn({out, in}, generator), false);
  module.register_parameter("bias", torch::randn({out}, generator), false);
  module.define("def forward(self, x):\n    return torch." + act + "(torch.linear(x, self.weight, self.bias))\n");
  return module;
}

/// A module with these submodules and this source.
inline jit::Module module_of(const std::vector<std::pair<std::string, jit::Module>>& parts, const std::string& source,
                             const std::string& name = "__torch__.other.Net") {
  jit::Module module(name);
  module.register_attribute("training", c10::BoolType::get(), true);
  for (const auto& [part, submodule] : parts) module.register_module(part, submodule);
  module.define(source);
  return module;
}

/// Same as nn.Sequential: children "0", "1", ... called in order.
inline jit::Module sequential(const std::vector<jit::Module>& parts) {
  std::vector<std::pair<std::string, jit::Module>> named;
  std::string source = "def forward(self, x):\n";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    named.emplace_back(std::to_string(i), parts[i]);
    source += "    x = getattr(self, \"" + std::to_string(i) + "\").forward(x)\n";
  }
  return module_of(named, source + "    return x\n", "__torch__.other.Sequential");
}

inline torch::Tensor run(const jit::Module& module, const torch::Tensor& x) {
  torch::NoGradGuard no_gradients;
  return jit::Module(module).forward({x}).toTensor();
}

inline torch::Tensor numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed = 7) {
  return torch::randn({rows, columns}, torch::make_generator<at::CPUGeneratorImpl>(seed));
}

}  // namespace accrete::deep_test
