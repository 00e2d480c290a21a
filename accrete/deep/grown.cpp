#include "accrete/deep/grown.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/data/ramps.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::deep {
namespace {

namespace jit = torch::jit;

// Numbers of TorchScript's types: 6 is float32, 7 is float64.
constexpr const char* steps_source = R"(
def steps_for(self, units: Optional[int]) -> int:
    wanted = 0
    if units is not None:
        wanted = units
    assert wanted >= 0, "units must be 0, for all of them, or above"
    assert wanted <= self.most_units, "{} units were asked for; the model has {}".format(wanted, self.all_units)
    if wanted == 0:
        return len(self.ends)
    steps = 0
    for end in self.ends:
        if end <= wanted:
            steps += 1
    assert steps > 0, "{} units were asked for; the model's first step already has {}".format(wanted, self.ends[0])
    return steps
)";

// As data::Encoder: a difference and a product in double, rounded to float.
constexpr const char* numbers_source = R"(
def encode(self, x):
    return torch.to((torch.to(x, 7) - self.means) * self.inverses, 6)
)";

// With bins, whose ramps stand behind all the numbers.
constexpr const char* ramps_source = R"(
def encode(self, x):
    numbers = torch.to((torch.to(x, 7) - self.means) * self.inverses, 6)
    way = (torch.to(torch.index_select(x, 1, self.sources), 6) - self.knots) * self.slopes + self.lows
    return torch.cat([numbers, torch.minimum(torch.maximum(way, self.lows), self.highs)], 1)
)";

constexpr const char* forward_source = R"(
def forward(self, features, units: Optional[int] = None):
    steps = self.steps_for(units)
    used = 0
    if steps > 0:
        used = self.ends[steps - 1]
    hidden = torch.{activation}(torch.linear(self.encode(features), self.hidden_weights[:used], self.hidden_bias[:used]))
    scores = torch.matmul(torch.to(hidden, 7), torch.to(self.output_weights[:used], 7)) + self.prefix_bias[steps]
    return torch.to({link}, 6)
)";

template <class T>
torch::Tensor tensor_of(std::span<const T> values, at::IntArrayRef shape) {
  return torch::from_blob(const_cast<T*>(values.data()), shape, c10::CppTypeToScalarType<T>::value).clone();
}

template <class T>
void add_buffer(jit::Module& module, const char* name, const std::vector<T>& values) {
  module.register_buffer(name, tensor_of(std::span<const T>(values), {static_cast<std::int64_t>(values.size())}));
}

const char* link_text(loss::Link link) {
  switch (link) {
    case loss::Link::sigmoid:
      return "torch.sigmoid(torch.cat([-scores, scores], 1))";
    case loss::Link::softmax:
      return "torch.softmax(scores, 1)";
    case loss::Link::exponential:
      return "torch.exp(scores)";
    case loss::Link::identity:
      return "self.shift + self.scale * scores";
  }
  return "";
}

const char* activation_text(const std::string& name) {
  return name == "logistic" ? "sigmoid" : name == "tanh" ? "tanh" : "relu";
}

/// The encoder's part. Returns the features in the order in which `encode` has them.
std::vector<std::size_t> add_encoder(jit::Module& module, const data::Encoder& encoder) {
  std::vector<double> means, inverses;
  std::vector<float> knots, slopes, lows, highs;
  std::vector<std::int64_t> sources;
  std::vector<std::size_t> order, ramps;
  std::size_t feature = 0;
  for (const data::Input& input : encoder.inputs()) {
    if (input.kind != data::Column::Kind::numeric || input.indicator)
      throw core::UsageError(fmt::format("column '{}': a head takes numbers without gaps", input.name));
    order.push_back(feature);
    means.push_back(input.mean);
    inverses.push_back(1.0 / input.scale);
    const data::Ramps bins(input);
    for (std::size_t b = 0; b < bins.size(); ++b) {
      ramps.push_back(feature + 1 + b);
      sources.push_back(static_cast<std::int64_t>(means.size() - 1));
      knots.push_back(bins[b].knot);
      slopes.push_back(bins[b].slope);
      lows.push_back(bins[b].low);
      highs.push_back(bins[b].high);
    }
    feature += input.width();
  }
  add_buffer(module, "means", means);
  add_buffer(module, "inverses", inverses);
  if (!ramps.empty()) {
    add_buffer(module, "sources", sources);
    add_buffer(module, "knots", knots);
    add_buffer(module, "slopes", slopes);
    add_buffer(module, "lows", lows);
    add_buffer(module, "highs", highs);
  }
  module.define(ramps.empty() ? numbers_source : ramps_source);
  order.insert(order.end(), ramps.begin(), ramps.end());
  return order;
}

/// The network's part; its features stand in this order.
void add_network(jit::Module& module, const network::Network& network, const std::vector<std::size_t>& order) {
  const auto units = static_cast<std::int64_t>(network.units()), outputs = static_cast<std::int64_t>(network.outputs());
  const auto features = static_cast<std::int64_t>(network.features());
  const std::vector<std::int64_t> columns(order.begin(), order.end());
  const torch::Tensor weights = tensor_of(network.hidden_weights(), {units, features});
  module.register_parameter("hidden_weights", weights.index_select(1, torch::tensor(columns)), false);
  module.register_parameter("hidden_bias", tensor_of(network.hidden_bias(), {units}), false);
  module.register_parameter("output_weights", tensor_of(network.output_weights(), {units, outputs}), false);
  module.register_buffer("prefix_bias", tensor_of(network.prefix_bias(), {static_cast<std::int64_t>(network.steps()) + 1, outputs}));
}

void add_dial(jit::Module& module, const model::Model& model) {
  c10::List<std::int64_t> ends;
  for (const std::size_t end : model.network.step_ends()) ends.push_back(static_cast<std::int64_t>(end));
  module.register_attribute("ends", c10::ListType::ofInts(), ends);
  const auto whole = [&](const char* name, std::size_t value) {
    module.register_attribute(name, c10::IntType::get(), static_cast<std::int64_t>(value));
  };
  whole("all_units", model.network.units());
  whole("most_units", model.most_units());
  module.define(steps_source);
}

}  // namespace

torch::jit::Module grown_module(const model::Model& model) {
  model::require_grown(model, "a head");
  model::check_features(model);
  jit::Module module("__torch__.accrete.Grown");
  add_network(module, model.network, add_encoder(module, model.encoder));
  add_dial(module, model);
  if (model.loss.link() == loss::Link::identity) {
    add_buffer(module, "shift", model.target_shift);
    add_buffer(module, "scale", model.target_scale);
  }
  module.define(fmt::format(forward_source, fmt::arg("activation", activation_text(model.network.activation().name())),
                            fmt::arg("link", link_text(model.loss.link()))));
  return module;
}

}  // namespace accrete::deep
