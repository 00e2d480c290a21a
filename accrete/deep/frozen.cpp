#include "accrete/deep/frozen.hpp"

#include <fmt/format.h>
#include <torch/csrc/jit/passes/freeze_module.h>

#include <sstream>

#include "accrete/core/error.hpp"
#include "accrete/deep/cut.hpp"
#include "accrete/deep/error_cause.hpp"
#include "accrete/deep/prepare.hpp"

namespace accrete::deep {
namespace {

// Global pooling leaves dimensions of size 1, which are flattened.
constexpr const char* flatten_source = R"(
def flat(self, x):
    if x.dim() > 2 and x.numel() == x.size(0) * x.size(1):
        return torch.flatten(x, 1)
    return x
)";

}  // namespace

torch::jit::Module freeze(const TorchNetwork& network, const Inputs& inputs, const std::string& cut_at) {
  const bool is_from_accrete = network.signature.has_value();
  torch::jit::Module frozen("__torch__.accrete.Frozen");
  frozen.register_module("network", cut(network.module, is_from_accrete && cut_at.empty() ? "features" : cut_at));
  frozen.define(flatten_source);
  if (is_from_accrete) {
    frozen.define("def forward(self, inputs):\n    return self.flat(self.network.forward(inputs))\n");
  } else {
    frozen.register_module("prepare", prepare_module(inputs));
    frozen.define(
        "def forward(self, inputs):\n    return self.flat(self.network.forward(self.prepare.forward(inputs)))\n");
  }
  frozen.eval();
  try {
    // Preserve parameters so that they can move to another device; unused ones after the cut are removed.
    const auto stripped = torch::jit::freeze_module(frozen, {}, /*freezeInterfaces=*/true, /*preserveParameters=*/true);
    // Reload from bytes: freezing leaves dangling function pointers, and an error at run time would follow them.
    std::stringstream bytes;
    stripped.save(bytes);
    return torch::jit::load(bytes);
  } catch (const std::exception& error) {
    throw core::DataError(fmt::format("this network cannot be frozen: {}", error_cause(error)));
  }
}

}  // namespace accrete::deep
