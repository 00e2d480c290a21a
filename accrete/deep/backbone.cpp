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

/// The width or height left after three 2 x 2 pooling layers.
std::int64_t after_pools(std::int64_t extent) {
  return extent / 2 / 2 / 2;
}

/// Builds a module layer by layer; each layer adds a line to its forward method.
class ModuleBuilder {
 public:
  /// Weights are drawn from (seed, layer number), independent of the hardware.
  ModuleBuilder(const char* name, std::uint64_t seed, std::uint64_t& layer)
      : module_(new_module(name)), seed_(seed), layer_(layer) {}

  void dense(const std::string& name, std::int64_t in, std::int64_t out) {
    add_weights(name, {out, in}, in);
    line(fmt::format("torch.linear(x, self.{0}_weight, self.{0}_bias)", name));
  }
  void convolution(const std::string& name, std::int64_t in, std::int64_t out) {
    add_weights(name, {out, in, 3, 3}, in * 9);
    line(fmt::format("torch.conv2d(x, self.{0}_weight, self.{0}_bias, [1, 1], [1, 1])", name));
    relu();
  }
  void relu() { line("torch.relu(x)"); }
  void pool() { line("torch.max_pool2d(x, [2, 2])"); }
  void drop(double share) { line(fmt::format("torch.dropout(x, {:.1f}, self.training)", share)); }
  void flatten() { line("torch.flatten(x, 1)"); }

  torch::jit::Module finish() {
    module_.define("def forward(self, x):\n" + body_ + "    return x\n");
    return module_;
  }

 private:
  void line(const std::string& text) { body_ += "    x = " + text + "\n"; }

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

/// Weights, gradients and the solver's two moments must fit in memory. Throws UsageError.
void check_room(const std::vector<std::int64_t>& widths, std::int64_t in) {
  double weights = 0.0;
  for (const std::int64_t width : widths) {
    weights += static_cast<double>(in + 1) * static_cast<double>(width);
    in = width;
  }
  const double gibibytes = weights * 4.0 * sizeof(float) / (1 << 30);
  if (weights * 4.0 * sizeof(float) > static_cast<double>(core::free_memory()))
    throw core::UsageError(
        core::parameter("arch"),
        fmt::format("{:.3g} weights take {:.1f} GiB to train, more than is free", weights, gibibytes));
}

BackboneParts make_dense(const std::vector<std::int64_t>& widths, const Purpose& purpose, std::uint64_t seed) {
  auto in = static_cast<std::int64_t>(purpose.inputs.encoder.features());
  check_room(widths, in);
  std::uint64_t layer = 0;
  ModuleBuilder features("Features", seed, layer);
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    features.dense(fmt::format("dense{}", i + 1), in, widths[i]);
    features.relu();
    in = widths[i];
  }
  return {features.finish(), make_head({"Head", seed, layer}, in, widths.back(), purpose.outputs())};
}

BackboneParts make_cnn(const Purpose& purpose, std::uint64_t seed) {
  constexpr std::int64_t dense_width = 128;
  std::uint64_t layer = 0;
  ModuleBuilder features("Features", seed, layer);
  std::int64_t in = purpose.inputs.channels;
  for (const auto& [channels, share] : {std::pair<std::int64_t, double>{32, 0.2}, {64, 0.3}, {128, 0.4}}) {
    features.convolution(fmt::format("conv{}a", channels), in, channels);
    features.convolution(fmt::format("conv{}b", channels), channels, channels);
    features.pool();
    features.drop(share);
    in = channels;
  }
  features.flatten();
  features.dense("dense", in * after_pools(purpose.inputs.height) * after_pools(purpose.inputs.width), dense_width);
  features.relu();
  return {features.finish(), make_head({"Head", seed, layer}, dense_width, dense_width, purpose.outputs())};
}

void check_fits(const Architecture& architecture, const Inputs& inputs) {
  const bool images = inputs.kind == Inputs::Kind::images;
  if (architecture.name == "dense" && images)
    throw core::UsageError(architecture.text() + ": dense layers take tables, and these are images; cnn takes them");
  if (architecture.name == "cnn" && !images)
    throw core::UsageError("cnn takes images, and this is a table; dense:100,100,100 takes it");
  if (images && (inputs.height < 8 || inputs.width < 8))
    throw core::UsageError(fmt::format("cnn halves images three times: {} x {} pixels are too few, 8 x 8 are not",
                                       inputs.height, inputs.width));
}

std::int64_t read_width(std::string_view text, const std::string& whole) {
  std::int64_t width = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error != std::errc{} || stop != text.data() + text.size() || width < 1 || width > max_width)
    throw core::UsageError(
        fmt::format("architecture '{}': widths are whole numbers from 1 to {}, parted by commas", whole, max_width));
  return width;
}

}  // namespace

std::string Architecture::text() const {
  return widths.empty() ? name : fmt::format("{}:{}", name, fmt::join(widths, ","));
}

Architecture read_architecture(const std::string& text) {
  if (text == "cnn") return {"cnn", {}};
  constexpr std::string_view dense = "dense:";
  if (!text.starts_with(dense))
    throw core::UsageError(
        fmt::format("architecture '{}': there are cnn, and dense:100,100,100 with the widths of any layers", text));
  Architecture architecture{"dense", {}};
  std::string_view rest = std::string_view(text).substr(dense.size());
  for (bool more = true; more;) {
    const std::size_t end = rest.find(',');
    more = end != std::string_view::npos;
    architecture.widths.push_back(read_width(rest.substr(0, end), text));
    if (more) rest.remove_prefix(end + 1);
  }
  if (architecture.widths.size() > max_layers)
    throw core::UsageError(fmt::format("architecture '{}': at most {} layers", text, max_layers));
  return architecture;
}

Network make_backbone(const Architecture& architecture, const Purpose& purpose, std::uint64_t seed) {
  check_fits(architecture, purpose.inputs);
  BackboneParts parts =
      architecture.name == "cnn" ? make_cnn(purpose, seed) : make_dense(architecture.widths, purpose, seed);
  Network network{new_module("Backbone"), purpose, {{"arch", architecture.text()}}};
  network.module.register_module("prepare", prepare_module(purpose.inputs));
  network.module.register_module("features", parts.features);
  network.module.register_module("head", parts.head);
  const char* outputs = "    x = self.head.forward(self.features.forward(self.prepare.forward(inputs)))\n";
  const std::string link =
      purpose.classes.empty()
          ? fmt::format("torch.add(torch.mul(torch.to(x, 7), {:.17e}), {:.17e})", purpose.scale, purpose.shift)
          : "torch.softmax(x, 1)";
  network.module.define(std::string("def forward(self, inputs):\n") + outputs + "    return " + link + "\n");
  network.module.eval();
  return network;
}

}  // namespace accrete::deep
