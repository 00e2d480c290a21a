#include "accrete/deep/backbone.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/mapped.hpp"
#include "accrete/core/random.hpp"
#include "accrete/deep/module.hpp"
#include "accrete/deep/prepare.hpp"

namespace accrete::deep {
namespace {

constexpr std::int64_t max_width = 1 << 16;
constexpr std::size_t max_layers = 100;

/// The width or height after three 2 x 2 pooling layers.
std::int64_t pooled_size(std::int64_t size) {
  return size / 2 / 2 / 2;
}

/// Builds a module layer by layer; each layer adds a line to its forward method.
class ModuleBuilder {
 public:
  /// Weights are drawn from (seed, layer number), independent of the hardware.
  ModuleBuilder(const char* name, std::uint64_t seed, std::uint64_t& layer)
      : module_(new_module(name)), seed_(seed), layer_(layer) {}

  void dense(const std::string& name, std::int64_t in, std::int64_t out) {
    add_weights(name, {out, in}, in);
    add_line(fmt::format("torch.linear(x, self.{0}_weight, self.{0}_bias)", name));
  }
  void convolution(const std::string& name, std::int64_t in, std::int64_t out) {
    add_weights(name, {out, in, 3, 3}, in * 9);
    add_line(fmt::format("torch.conv2d(x, self.{0}_weight, self.{0}_bias, [1, 1], [1, 1])", name));
    relu();
  }
  void relu() { add_line("torch.relu(x)"); }
  void pool() { add_line("torch.max_pool2d(x, [2, 2])"); }
  void dropout(double probability) { add_line(fmt::format("torch.dropout(x, {:.1f}, self.training)", probability)); }
  void flatten() { add_line("torch.flatten(x, 1)"); }

  torch::jit::Module finish() {
    module_.define("def forward(self, x):\n" + body_ + "    return x\n");
    return module_;
  }

 private:
  void add_line(const std::string& text) { body_ += "    x = " + text + "\n"; }

  /// PyTorch's default initialisation: uniform in +-1 / sqrt(inputs), biases too.
  void add_weights(const std::string& name, torch::IntArrayRef shape, std::int64_t inputs) {
    core::Rng rng(seed_, layer_++, core::Purpose::weights);
    const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
    for (const auto& [kind, extents] : {std::pair{"_weight", shape}, std::pair{"_bias", shape.slice(0, 1)}}) {
      torch::Tensor values = torch::empty(extents, torch::kFloat32);
      std::generate_n(values.data_ptr<float>(), values.numel(),
                      [&] { return static_cast<float>(rng.uniform(-bound, bound)); });
      module_.register_parameter(name + kind, values.set_requires_grad(true), false);
    }
  }

  torch::jit::Module module_;
  std::uint64_t seed_;
  std::uint64_t& layer_;
  std::string body_;
};

/// The two submodules of a network.
struct BackboneParts {
  torch::jit::Module features, head;
};

/// The last hidden layer and the output layer.
torch::jit::Module make_head(ModuleBuilder head, std::int64_t in, std::int64_t width, std::int64_t outputs) {
  head.dense("dense", in, width);
  head.relu();
  head.dense("output", width, outputs);
  return head.finish();
}

/// Throws UsageError unless weights, gradients and the solver's two moments fit in memory.
void check_memory(const std::vector<std::int64_t>& widths, std::int64_t in) {
  double weights = 0.0;
  for (const std::int64_t width : widths) {
    weights += static_cast<double>(in + 1) * static_cast<double>(width);
    in = width;
  }
  const double gibibytes = weights * 4.0 * sizeof(float) / (1 << 30);
  if (weights * 4.0 * sizeof(float) > static_cast<double>(core::free_memory()))
    throw core::UsageError(
        core::parameter("arch"),
        fmt::format("training {:.3g} weights takes {:.1f} GiB, more than the free memory", weights, gibibytes));
}

BackboneParts make_dense(const std::vector<std::int64_t>& widths, const Signature& signature, std::uint64_t seed) {
  auto in = static_cast<std::int64_t>(signature.inputs.encoder.features());
  check_memory(widths, in);
  std::uint64_t layer = 0;
  ModuleBuilder features("Features", seed, layer);
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    features.dense(fmt::format("dense{}", i + 1), in, widths[i]);
    features.relu();
    in = widths[i];
  }
  return {features.finish(), make_head({"Head", seed, layer}, in, widths.back(), signature.outputs())};
}

BackboneParts make_cnn(const Signature& signature, std::uint64_t seed) {
  constexpr std::int64_t dense_width = 128;
  std::uint64_t layer = 0;
  ModuleBuilder features("Features", seed, layer);
  std::int64_t in = signature.inputs.channels;
  for (const auto& [channels, dropout] : {std::pair<std::int64_t, double>{32, 0.2}, {64, 0.3}, {128, 0.4}}) {
    features.convolution(fmt::format("conv{}a", channels), in, channels);
    features.convolution(fmt::format("conv{}b", channels), channels, channels);
    features.pool();
    features.dropout(dropout);
    in = channels;
  }
  features.flatten();
  features.dense("dense", in * pooled_size(signature.inputs.height) * pooled_size(signature.inputs.width), dense_width);
  features.relu();
  return {features.finish(), make_head({"Head", seed, layer}, dense_width, dense_width, signature.outputs())};
}

void check_inputs(const Architecture& architecture, const Inputs& inputs) {
  const bool images = inputs.kind == Inputs::Kind::images;
  if (architecture.name == "dense" && images)
    throw core::UsageError(architecture.text() + ": dense layers take tables, but the data are images; use cnn");
  if (architecture.name == "cnn" && !images)
    throw core::UsageError("cnn takes images, but the data are a table; use dense:100,100,100");
  if (images && (inputs.height < 8 || inputs.width < 8))
    throw core::UsageError(
        fmt::format("cnn halves images three times: {} x {} pixels are too few; at least 8 x 8 are needed",
                    inputs.height, inputs.width));
}

std::int64_t parse_width(std::string_view text, const std::string& architecture) {
  std::int64_t width = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error != std::errc{} || stop != text.data() + text.size() || width < 1 || width > max_width)
    throw core::UsageError(fmt::format(
        "architecture '{}': widths must be whole numbers from 1 to {}, separated by commas", architecture, max_width));
  return width;
}

}  // namespace

std::string Architecture::text() const {
  return widths.empty() ? name : fmt::format("{}:{}", name, fmt::join(widths, ","));
}

Architecture parse_architecture(const std::string& text) {
  if (text == "cnn") return {"cnn", {}};
  constexpr std::string_view dense = "dense:";
  if (!text.starts_with(dense))
    throw core::UsageError(fmt::format(
        "architecture '{}': must be cnn, or dense: followed by layer widths, such as dense:100,100,100", text));
  Architecture architecture{"dense", {}};
  std::string_view rest = std::string_view(text).substr(dense.size());
  for (bool more = true; more;) {
    const std::size_t end = rest.find(',');
    more = end != std::string_view::npos;
    architecture.widths.push_back(parse_width(rest.substr(0, end), text));
    if (more) rest.remove_prefix(end + 1);
  }
  if (architecture.widths.size() > max_layers)
    throw core::UsageError(fmt::format("architecture '{}': at most {} layers", text, max_layers));
  return architecture;
}

TorchNetwork make_backbone(const Architecture& architecture, const Signature& signature, std::uint64_t seed) {
  check_inputs(architecture, signature.inputs);
  BackboneParts parts =
      architecture.name == "cnn" ? make_cnn(signature, seed) : make_dense(architecture.widths, signature, seed);
  TorchNetwork network{new_module("Backbone"), signature, {{"arch", architecture.text()}}};
  network.module.register_module("prepare", prepare_module(signature.inputs));
  network.module.register_module("features", parts.features);
  network.module.register_module("head", parts.head);
  const char* outputs = "    x = self.head.forward(self.features.forward(self.prepare.forward(inputs)))\n";
  const std::string link =
      signature.classes.empty()
          ? fmt::format("torch.add(torch.mul(torch.to(x, 7), {:.17e}), {:.17e})", signature.scale, signature.shift)
          : "torch.softmax(x, 1)";
  network.module.define(std::string("def forward(self, inputs):\n") + outputs + "    return " + link + "\n");
  network.module.eval();
  return network;
}

}  // namespace accrete::deep
