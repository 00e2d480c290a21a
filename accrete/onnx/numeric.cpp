#include "accrete/onnx/numeric.hpp"

#include <fmt/format.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/onnx/hidden.hpp"

namespace accrete::onnx {

std::vector<Placed> inputs_of(const data::Encoder& encoder, data::Column::Kind kind) {
  std::vector<Placed> found;
  std::size_t feature = 0;
  for (const data::Input& input : encoder.inputs()) {
    if (input.kind == kind) found.push_back({&input, feature});
    feature += input.width();
  }
  return found;
}

NumericPart::NumericPart(const model::Model& model)
    : network_(model.network), inputs_(inputs_of(model.encoder, data::Column::Kind::numeric)) {
  for (const Placed& placed : inputs_) {
    means_.push_back(mean_of(*placed.input));
    if (placed.input->indicator) indicated_.push_back(static_cast<std::int64_t>(means_.size() - 1));
    add_bins(*placed.input);
  }
}

NumericPart::Mean NumericPart::split(double mean) {
  const double rounded = static_cast<float>(mean);
  return {rounded, mean - rounded};
}

NumericPart::Mean NumericPart::mean_of(const data::Input& input) {
  check_scale("column", input.name, input.scale);
  if (std::abs(input.mean) > largest_scale)
    throw core::UsageError(fmt::format("ONNX: column '{}' has the mean {}; from {} to {} can be written", input.name,
                                       input.mean, -largest_scale, largest_scale));
  return split(input.mean);
}

/// Of the input whose mean was added last.
void NumericPart::add_bins(const data::Input& input) {
  for (std::size_t j = 0; j < input.bins(); ++j) {
    const double knot = input.knots[j], width = input.knots[j + 1] - knot;
    check_scale("a bin of column", input.name, width);
    check_scale("a bin of column", input.name, input.bin_scales[j]);
    bin_sources_.push_back(static_cast<std::int64_t>(means_.size() - 1));
    knots_.push_back(knot);
    slopes_.push_back(1.0 / width);
    bin_means_.push_back(split(input.bin_means[j]));
  }
}

std::string NumericPart::add_centred(Graph& graph, const Gapped& gapped, const std::vector<Mean>& means) {
  const auto& [values, gaps, prefix] = gapped;
  std::vector<double> rounded, rests;
  for (const Mean& mean : means) rounded.push_back(mean.rounded), rests.push_back(mean.rest);
  const std::vector<std::size_t> shape{means.size()};
  const std::string centred =
      graph.node("Sub", {values, graph.numbers(prefix + "mean", shape, rounded)}, prefix + "centred");
  const std::string rest = graph.numbers(prefix + "missing_value", shape, rests);
  return graph.node("Where", {gaps, rest, centred}, prefix + "filled");
}

std::string NumericPart::add_features(Graph& graph, const std::string& numbers, std::string& values) const {
  const std::string gaps = graph.node("IsNaN", {numbers}, "missing");
  values = add_centred(graph, {numbers, gaps, ""}, means_);
  Names features{values};
  if (!knots_.empty()) features.push_back(add_bin_features(graph, numbers, gaps));
  if (!indicated_.empty()) {
    const std::string some =
        graph.node("Gather", {gaps, graph.wholes("indicated", indicated_)}, "missing_indicated", {{"axis", 1}});
    features.push_back(graph.node("Cast", {some}, "indicators", {{"to", Graph::Type::FLOAT}}));
  }
  return features.size() == 1 ? values : graph.node("Concat", features, "features", {{"axis", 1}});
}

std::string NumericPart::add_bin_features(Graph& graph, const std::string& numbers, const std::string& gaps) const {
  const std::vector<std::size_t> shape{knots_.size()};
  const std::string of = graph.wholes("bin_source", bin_sources_);
  const std::string columns = graph.node("Gather", {numbers, of}, "bin_numbers", {{"axis", 1}});
  const std::string way = graph.node("Sub", {columns, graph.numbers("knot", shape, knots_)}, "bin_way");
  const std::string part = graph.node("Mul", {way, graph.numbers("bin_slope", shape, slopes_)}, "bin_part");
  const std::string zero = graph.numbers("bin_low", {}, std::vector<double>{0.0});
  const std::string one = graph.numbers("bin_high", {}, std::vector<double>{1.0});
  const std::string inside = graph.node("Clip", {part, zero, one}, "bin_inside");
  const std::string missing = graph.node("Gather", {gaps, of}, "bin_missing", {{"axis", 1}});
  return add_centred(graph, {inside, missing, "bin_"}, bin_means_);
}

std::string NumericPart::add_weights(Graph& graph) const {
  std::vector<double> weights;
  for (std::size_t u = 0; u < network_.units(); ++u) {
    const auto row = network_.hidden_weights().subspan(u * network_.features(), network_.features());
    for (const Placed& placed : inputs_) weights.push_back(row[placed.feature] / placed.input->scale);
    for (const Placed& placed : inputs_)
      for (std::size_t j = 0; j < placed.input->bins(); ++j)
        weights.push_back(row[placed.feature + 1 + j] / placed.input->bin_scales[j]);
    for (const std::int64_t i : indicated_) weights.push_back(row[inputs_[static_cast<std::size_t>(i)].indicator()]);
  }
  const std::size_t features = inputs_.size() + knots_.size() + indicated_.size();
  return graph.numbers("hidden_weights", {network_.units(), features}, weights);
}

std::vector<double> NumericPart::bias() const {
  std::vector<double> bias(network_.hidden_bias().begin(), network_.hidden_bias().end());
  for (std::size_t u = 0; u < bias.size(); ++u) {
    const auto row = network_.hidden_weights().subspan(u * network_.features(), network_.features());
    auto bin_mean = bin_means_.begin();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto& [input, feature] = inputs_[i];
      bias[u] -= row[feature] * means_[i].rest / input->scale;
      for (std::size_t j = 0; j < input->bins(); ++j)
        bias[u] -= row[feature + 1 + j] * (bin_mean++)->rest / input->bin_scales[j];
    }
  }
  return bias;
}

}  // namespace accrete::onnx
