#include "accrete/deep/prepare.hpp"

#include <limits>
#include <vector>

#include "accrete/core/overloaded.hpp"
#include "accrete/deep/module.hpp"

namespace accrete::deep {
namespace {

// 6 and 7 are TorchScript's numbers for float32 and float64; type names cannot be used in source defined this way.
constexpr const char* images_source = R"(
def forward(self, x):
    return torch.to(x, 6) / 255.0
)";

// Computes every feature from one column in double, like the encoder, because a mean may be far larger than the
// deviation.
constexpr const char* table_source = R"(
def forward(self, x):
    x = torch.index_select(torch.to(x, 7), 1, self.column)
    missing = torch.isnan(x)
    number = torch.minimum(torch.maximum(self.start + (x - self.origin) * self.slope, self.low), self.high)
    number = torch.masked_fill(number, missing, 0.0)
    level = torch.where(torch.eq(x, self.origin), self.high, self.low)
    gap = torch.to(missing, 7)
    return torch.to(torch.where(self.is_level, level, torch.where(self.is_gap, gap, number)), 6)
)";

/// How a feature is computed from its column's x:
///   number   start + (x - origin) * slope, clamped to [low, high], 0 where x is missing
///   level    high where x is the level (origin), low elsewhere
///   gap      1 where x is missing
struct Feature {
  std::int64_t column;
  bool is_level = false, is_gap = false;
  double start = 0.0, origin = 0.0, slope = 0.0, low = 0.0, high = 0.0;
};

void add_features(const data::ColumnEncoding& encoding, std::int64_t column, std::vector<Feature>& features) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  encoding.visit(core::Overloaded{
      [&](const data::Standardised& by) {
        features.push_back(
            {.column = column, .origin = by.mean, .slope = by.inverse, .low = -infinity, .high = infinity});
      },
      [&](const data::Bins& by) {
        for (std::size_t j = 0; j < by.ramps.size(); ++j) {
          const data::Ramp ramp = by.ramps[j];
          features.push_back({.column = column,
                              .start = ramp.low,
                              .origin = ramp.knot,
                              .slope = ramp.slope,
                              .low = ramp.low,
                              .high = ramp.high});
        }
      },
      [&](const data::OneHot& by) {
        for (std::size_t l = 0; l < by.levels.size(); ++l)
          features.push_back({.column = column,
                              .is_level = true,
                              .origin = static_cast<double>(l),
                              .low = by.levels[l].off,
                              .high = by.levels[l].on});
      },
      [&](const data::GapFlag&) { features.push_back({.column = column, .is_gap = true}); }});
}

/// One member of all features, as a tensor.
template <class Value>
torch::Tensor gather(const std::vector<Feature>& features, Value Feature::*member, torch::Dtype type) {
  torch::Tensor values = torch::empty({static_cast<std::int64_t>(features.size())}, type);
  for (std::size_t f = 0; f < features.size(); ++f) values[static_cast<std::int64_t>(f)] = features[f].*member;
  return values;
}

torch::jit::Module table_module(const data::Encoder& encoder) {
  std::vector<Feature> features;
  for (std::size_t i = 0; i < encoder.columns().size(); ++i)
    add_features(encoder.columns()[i], static_cast<std::int64_t>(i), features);
  torch::jit::Module module = new_module("PrepareTable");
  module.register_buffer("column", gather(features, &Feature::column, torch::kInt64));
  module.register_buffer("is_level", gather(features, &Feature::is_level, torch::kBool));
  module.register_buffer("is_gap", gather(features, &Feature::is_gap, torch::kBool));
  module.register_buffer("start", gather(features, &Feature::start, torch::kFloat64));
  module.register_buffer("origin", gather(features, &Feature::origin, torch::kFloat64));
  module.register_buffer("slope", gather(features, &Feature::slope, torch::kFloat64));
  module.register_buffer("low", gather(features, &Feature::low, torch::kFloat64));
  module.register_buffer("high", gather(features, &Feature::high, torch::kFloat64));
  module.define(table_source);
  return module;
}

}  // namespace

torch::jit::Module prepare_module(const Inputs& inputs) {
  if (inputs.kind == Inputs::Kind::table) return table_module(inputs.encoder);
  torch::jit::Module module = new_module("PrepareImages");
  module.define(images_source);
  return module;
}

}  // namespace accrete::deep
