#include "accrete/onnx/numeric_columns.hpp"

#include <fmt/format.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/core/overloaded.hpp"
#include "accrete/onnx/hidden_layer.hpp"

namespace accrete::onnx {
namespace {

/// Means to subtract, and their remainders, which replace missing values.
struct Means {
  std::vector<double> means, remainders;
};

struct MaskedValues {
  std::string values, missing;
};

/// The values minus their means, and the remainder of the mean where missing. `prefix`: prefix of the names of new
/// values.
std::string add_centred(Graph& graph, const MaskedValues& from, const Means& by, const std::string& prefix) {
  const std::vector<std::size_t> shape{by.means.size()};
  const std::string centred =
      graph.node("Sub", {from.values, graph.floats(prefix + "mean", shape, by.means)}, prefix + "centred");
  const std::string rest = graph.floats(prefix + "missing_value", shape, by.remainders);
  return graph.node("Where", {from.missing, rest, centred}, prefix + "filled");
}

}  // namespace

NumericColumns::NumericColumns(const model::Model& model) : network_(model.network) {
  const data::Encoder& encoder = model.encoder;
  for (std::size_t i = 0; i < encoder.inputs().size(); ++i)
    if (encoder.inputs()[i].kind == data::Column::Kind::numeric) add(encoder.inputs()[i], encoder.columns()[i]);
}

void NumericColumns::add(const data::Input& input, const data::ColumnEncoding& column) {
  using data::FeatureGroup;
  column.visit(core::Overloaded{
      [&](const data::Standardised& by, const FeatureGroup& group) { add_number(input, by, group.first); },
      [&](const data::Bins& by, const FeatureGroup& group) { add_bins(input, by, group.first); },
      [](const data::OneHot&) {},  // of text columns, which use a table in the hidden layer
      [&](const data::GapFlag&, const FeatureGroup& group) {
        gap_flags_.push_back({static_cast<std::int64_t>(numbers_.size() - 1), group.first});
      }});
}

NumericColumns::CentredFeature NumericColumns::centre(std::size_t feature, double mean, double scale) {
  const double rounded = static_cast<float>(mean);
  return {feature, rounded, mean - rounded, scale};
}

void NumericColumns::add_number(const data::Input& input, const data::Standardised& by, std::size_t feature) {
  check_scale("column", input.name, by.scale);
  if (std::abs(by.mean) > max_scale)
    throw core::UsageError(fmt::format("ONNX: column '{}' has the mean {}; it must be from {} to {}", input.name,
                                       by.mean, -max_scale, max_scale));
  numbers_.push_back(centre(feature, by.mean, by.scale));
}

void NumericColumns::add_bins(const data::Input& input, const data::Bins& by, std::size_t first_feature) {
  for (std::size_t j = 0; j < by.bins.size(); ++j) {
    const data::Bin& bin = by.bins[j];
    check_scale("a bin of column", input.name, bin.width());
    check_scale("a bin of column", input.name, bin.scale);
    bins_.push_back({static_cast<std::int64_t>(numbers_.size() - 1), bin.start, bin.width(),
                     centre(first_feature + j, bin.mean, bin.scale)});
  }
}

std::string NumericColumns::add_features(Graph& graph, const std::string& numbers, std::string& filled) const {
  const std::string missing = graph.node("IsNaN", {numbers}, "missing");
  Means means;
  for (const CentredFeature& number : numbers_)
    means.means.push_back(number.mean), means.remainders.push_back(number.rest);
  filled = add_centred(graph, {numbers, missing}, means, "");
  Names features{filled};
  if (!bins_.empty()) features.push_back(add_bin_features(graph, numbers, missing));
  if (!gap_flags_.empty()) {
    std::vector<std::int64_t> columns;
    for (const FlagFeature& flag : gap_flags_) columns.push_back(flag.column);
    const std::string flags =
        graph.node("Gather", {missing, graph.integers("indicated", columns)}, "missing_indicated", {{"axis", 1}});
    features.push_back(graph.node("Cast", {flags}, "indicators", {{"to", Graph::Type::FLOAT}}));
  }
  return features.size() == 1 ? filled : graph.node("Concat", features, "features", {{"axis", 1}});
}

std::string NumericColumns::add_bin_features(Graph& graph, const std::string& numbers,
                                             const std::string& missing) const {
  std::vector<std::int64_t> columns;
  std::vector<double> starts, slopes;
  Means means;
  for (const BinFeature& bin : bins_) {
    columns.push_back(bin.column);
    starts.push_back(bin.start);
    slopes.push_back(1.0 / bin.width);
    means.means.push_back(bin.centred.mean);
    means.remainders.push_back(bin.centred.rest);
  }
  const std::vector<std::size_t> shape{bins_.size()};
  const std::string of = graph.integers("bin_source", columns);
  const std::string values = graph.node("Gather", {numbers, of}, "bin_numbers", {{"axis", 1}});
  const std::string offset = graph.node("Sub", {values, graph.floats("knot", shape, starts)}, "bin_way");
  const std::string ramp = graph.node("Mul", {offset, graph.floats("bin_slope", shape, slopes)}, "bin_part");
  const std::string zero = graph.floats("bin_low", {}, std::vector<double>{0.0});
  const std::string one = graph.floats("bin_high", {}, std::vector<double>{1.0});
  const std::string clamped = graph.node("Clip", {ramp, zero, one}, "bin_inside");
  const std::string masked = graph.node("Gather", {missing, of}, "bin_missing", {{"axis", 1}});
  return add_centred(graph, {clamped, masked}, means, "bin_");
}

std::string NumericColumns::add_weights(Graph& graph) const {
  std::vector<double> weights;
  for (std::size_t u = 0; u < network_.units(); ++u) {
    const auto row = network_.hidden_weights().subspan(u * network_.features(), network_.features());
    for (const CentredFeature& number : numbers_) weights.push_back(row[number.feature] / number.scale);
    for (const BinFeature& bin : bins_) weights.push_back(row[bin.centred.feature] / bin.centred.scale);
    for (const FlagFeature& flag : gap_flags_) weights.push_back(row[flag.feature]);
  }
  const std::size_t features = numbers_.size() + bins_.size() + gap_flags_.size();
  return graph.floats("hidden_weights", {network_.units(), features}, weights);
}

std::vector<double> NumericColumns::bias() const {
  std::vector<double> bias(network_.hidden_bias().begin(), network_.hidden_bias().end());
  for (std::size_t u = 0; u < bias.size(); ++u) {
    const auto row = network_.hidden_weights().subspan(u * network_.features(), network_.features());
    const auto subtract = [&](const CentredFeature& f) { bias[u] -= row[f.feature] * f.rest / f.scale; };
    auto bin = bins_.begin();
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      subtract(numbers_[i]);
      for (; bin != bins_.end() && bin->column == static_cast<std::int64_t>(i); ++bin) subtract(bin->centred);
    }
  }
  return bias;
}

}  // namespace accrete::onnx
