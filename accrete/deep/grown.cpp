#include "accrete/deep/grown.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "accrete/deep/prepare.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::deep {
namespace {

namespace jit = torch::jit;

constexpr const char* steps_source = R"(
def steps_for(self, units: Optional[int]) -> int:
    wanted = 0
    if units is not None:
        wanted = units
    assert wanted >= 0, "units must be at least 0; 0 means all"
    assert wanted <= self.max_units, "{} units requested; the model has {}".format(wanted, self.all_units)
    if wanted == 0:
        return len(self.ends)
    steps = 0
    for end in self.ends:
        if end <= wanted:
            steps += 1
    assert steps > 0, "{} units requested; the model's first step already has {}".format(wanted, self.ends[0])
    return steps
)";

// 7 is TorchScript's number for float64. Sums over units are in double, as in the library, and so are predicted values,
// which may be large compared to their differences; probabilities are returned as float32.
constexpr const char* forward_source = R"(
def forward(self, features, units: Optional[int] = None):
    steps = self.steps_for(units)
    used = 0
    if steps > 0:
        used = self.ends[steps - 1]
    x = self.prepare.forward(features)
    hidden = torch.{activation}(torch.linear(x, self.hidden_weights[:used], self.hidden_bias[:used]))
    scores = torch.matmul(torch.to(hidden, 7), torch.to(self.output_weights[:used], 7)) + self.prefix_bias[steps]
    return {link}
)";

template <class T>
torch::Tensor tensor_of(std::span<const T> values, at::IntArrayRef shape) {
  return torch::from_blob(const_cast<T*>(values.data()), shape, c10::CppTypeToScalarType<T>::value).clone();
}

void add_buffer(jit::Module& module, const char* name, const std::vector<double>& values) {
  module.register_buffer(name, tensor_of(std::span(values), {static_cast<std::int64_t>(values.size())}));
}

const char* link_text(loss::Link link) {
  switch (link) {
    case loss::Link::sigmoid:
      return "torch.to(torch.sigmoid(torch.cat([-scores, scores], 1)), 6)";
    case loss::Link::softmax:
      return "torch.to(torch.softmax(scores, 1), 6)";
    case loss::Link::exponential:
      return "torch.exp(scores)";
    case loss::Link::probability:
      return "torch.to(torch.sigmoid(scores), 6)";
    case loss::Link::identity:
      return "self.shift + self.scale * scores";
  }
  return "";
}

const char* activation_text(const std::string& name) {
  return name == "logistic" ? "sigmoid" : name == "tanh" ? "tanh" : "relu";
}

void add_network(jit::Module& module, const network::Network& network) {
  const auto units = static_cast<std::int64_t>(network.units()), outputs = static_cast<std::int64_t>(network.outputs());
  const auto features = static_cast<std::int64_t>(network.features());
  module.register_parameter("hidden_weights", tensor_of(network.hidden_weights(), {units, features}), false);
  module.register_parameter("hidden_bias", tensor_of(network.hidden_bias(), {units}), false);
  module.register_parameter("output_weights", tensor_of(network.output_weights(), {units, outputs}), false);
  module.register_buffer("prefix_bias",
                         tensor_of(network.prefix_bias(), {static_cast<std::int64_t>(network.steps()) + 1, outputs}));
}

void add_dial(jit::Module& module, const model::Model& model) {
  c10::List<std::int64_t> ends;
  for (const std::size_t end : model.network.step_ends()) ends.push_back(static_cast<std::int64_t>(end));
  module.register_attribute("ends", c10::ListType::ofInts(), ends);
  const auto add_integer = [&](const char* name, std::size_t value) {
    module.register_attribute(name, c10::IntType::get(), static_cast<std::int64_t>(value));
  };
  add_integer("all_units", model.network.units());
  add_integer("max_units", model.max_units());
  module.define(steps_source);
}

}  // namespace

torch::jit::Module grown_module(const model::Model& model) {
  model::require_grown(model, "a head");
  model::check_features(model);
  jit::Module module("__torch__.accrete.Grown");
  module.register_module("prepare", prepare_module({.kind = Inputs::Kind::table, .encoder = model.encoder}));
  add_network(module, model.network);
  add_dial(module, model);
  if (model.loss.link() == loss::Link::identity) {
    add_buffer(module, "shift", model.target_shift);
    add_buffer(module, "scale", model.target_scale);
  }
  module.define(fmt::format(
      forward_source, fmt::arg("activation", activation_text(model.network.activation().name())),
      fmt::arg("link", model.loss.quantiles().empty() ? link_text(model.loss.link())
                                                      : "torch.sort(self.shift + self.scale * scores, 1)[0]")));
  return module;
}

}  // namespace accrete::deep
