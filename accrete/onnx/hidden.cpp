#include "accrete/onnx/hidden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/data/encode_column.hpp"
#include "accrete/data/missing.hpp"

namespace accrete::onnx {
namespace {

using Kind = data::Column::Kind;

/// An input and its first feature, which is a column of the hidden weights.
struct Placed {
  const data::Input* input;
  std::size_t feature;

  std::size_t indicator() const { return feature + input->width() - 1; }
};

std::vector<Placed> inputs_of(const data::Encoder& encoder, Kind kind) {
  std::vector<Placed> found;
  std::size_t feature = 0;
  for (const data::Input& input : encoder.inputs()) {
    if (input.kind == kind) found.push_back({&input, feature});
    feature += input.width();
  }
  return found;
}

/// The mean as the graph has it, and what single precision leaves of it.
struct Mean {
  double rounded, rest;
};

Mean mean_of(const data::Input& input) {
  check_scale("column", input.name, input.scale);
  if (std::abs(input.mean) > largest_scale)
    throw core::UsageError(fmt::format("ONNX: column '{}' has the mean {}; from {} to {} can be written", input.name,
                                       input.mean, -largest_scale, largest_scale));
  const double rounded = static_cast<float>(input.mean);
  return {rounded, input.mean - rounded};
}

/// The numeric inputs less their means, and 0 where missing.
///
/// The scales are folded into the weights. The means are not: beside a spread much smaller than itself a mean would
/// take all digits of the sums. Subtracted first, it costs none; the part of it that single precision leaves out is in
/// the bias.
class NumericPart {
 public:
  explicit NumericPart(const model::Model& model)
      : network_(model.network), inputs_(inputs_of(model.encoder, Kind::numeric)) {
    for (const Placed& placed : inputs_) {
      means_.push_back(mean_of(*placed.input));
      if (placed.input->indicator) indicated_.push_back(static_cast<std::int64_t>(means_.size() - 1));
    }
  }

  std::size_t inputs() const { return inputs_.size(); }

  /// Sets `values` to the inputs without gaps; returns the features, which may have the indicators at their end.
  std::string add_features(Graph& graph, const std::string& numbers, std::string& values) const {
    std::vector<double> rounded, rests;
    for (const Mean& mean : means_) rounded.push_back(mean.rounded), rests.push_back(mean.rest);
    const std::vector<std::size_t> shape{inputs_.size()};
    const std::string gaps = graph.node("IsNaN", {numbers}, "missing");
    const std::string centred = graph.node("Sub", {numbers, graph.numbers("mean", shape, rounded)}, "centred");
    values = graph.node("Where", {gaps, graph.numbers("missing_value", shape, rests), centred}, "filled");
    if (indicated_.empty()) return values;
    const std::string some =
        graph.node("Gather", {gaps, graph.wholes("indicated", indicated_)}, "missing_indicated", {{"axis", 1}});
    const std::string indicators = graph.node("Cast", {some}, "indicators", {{"to", Graph::Type::FLOAT}});
    return graph.node("Concat", {values, indicators}, "features", {{"axis", 1}});
  }

  /// units x features, in the order of add_features.
  std::string add_weights(Graph& graph) const {
    std::vector<double> weights;
    for (std::size_t u = 0; u < network_.units(); ++u) {
      const auto row = network_.hidden_weights().subspan(u * network_.features(), network_.features());
      for (const Placed& placed : inputs_) weights.push_back(row[placed.feature] / placed.input->scale);
      for (const std::int64_t i : indicated_) weights.push_back(row[inputs_[static_cast<std::size_t>(i)].indicator()]);
    }
    return graph.numbers("hidden_weights", {network_.units(), inputs_.size() + indicated_.size()}, weights);
  }

  /// Of each unit.
  std::vector<double> bias() const {
    std::vector<double> bias(network_.hidden_bias().begin(), network_.hidden_bias().end());
    for (std::size_t u = 0; u < bias.size(); ++u)
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        bias[u] -= network_.hidden_weights()[u * network_.features() + inputs_[i].feature] * means_[i].rest /
                   inputs_[i].input->scale;
    return bias;
  }

 private:
  const network::Network& network_;
  std::vector<Placed> inputs_;
  std::vector<Mean> means_;
  std::vector<std::int64_t> indicated_;  ///< places among the numeric inputs
};

/// All spellings of a word in small and capital letters.
void add_spellings(std::string_view word, std::vector<std::string>& to) {
  std::vector<std::string> spellings{""};
  for (const char letter : word) {
    const bool has_case = letter >= 'a' && letter <= 'z';
    std::vector<std::string> longer;
    for (const std::string& begun : spellings) {
      longer.push_back(begun + letter);
      if (has_case) longer.push_back(begun + static_cast<char>(letter - 'a' + 'A'));
    }
    spellings = std::move(longer);
  }
  to.insert(to.end(), spellings.begin(), spellings.end());
}

/// Which row of the table a text means: its level's, then one for texts not seen in training, then one for gaps.
std::string add_places(Graph& graph, const data::Input& input, const std::string& texts) {
  const auto unseen = static_cast<std::int64_t>(input.levels.size());
  std::vector<std::string> keys;
  std::vector<std::int64_t> places;
  std::set<std::string_view> known;
  for (std::size_t l = 0; l < input.levels.size(); ++l)
    if (known.insert(input.levels[l]).second)
      keys.push_back(input.levels[l]), places.push_back(static_cast<std::int64_t>(l));
  // Without an indicator a gap is a text like any other that was not seen. A level that is such a word stays a level.
  if (input.indicator) {
    std::vector<std::string> missing;
    for (const std::string_view word : data::missing_words) add_spellings(word, missing);
    for (const std::string& word : missing)
      if (!known.contains(word)) keys.push_back(word), places.push_back(unseen + 1);
  }
  // An encoder without a key is none to some programs; this one says what is said anyhow.
  if (keys.empty()) keys.emplace_back(), places.push_back(unseen);
  return graph.places(texts, keys, places, unseen);
}

/// What each text adds to each unit's sum. A one-hot product is a row of this table, taken instead of computed; made in
/// double, it is exact where a level that nearly all rows have makes the one-hot features large.
std::string add_table(Graph& graph, const network::Network& network, const Placed& placed, const std::string& name) {
  const data::Input& input = *placed.input;
  const std::size_t levels = input.levels.size(), rows = levels + 1 + (input.indicator ? 1 : 0),
                    units = network.units();
  std::vector<double> table(rows * units);
  std::vector<data::OneHot> hot;
  for (std::size_t l = 0; l < levels; ++l) hot.push_back(data::one_hot(input, l));
  for (std::size_t u = 0; u < units; ++u) {
    const auto weights = network.hidden_weights().subspan(u * network.features(), network.features());
    double none = 0.0;
    for (std::size_t l = 0; l < levels; ++l) none += double{weights[placed.feature + l]} * hot[l].off;
    for (std::size_t l = 0; l < levels; ++l)
      table[l * units + u] = none + weights[placed.feature + l] * (double{hot[l].on} - hot[l].off);
    table[levels * units + u] = none;
    if (input.indicator) table[(levels + 1) * units + u] = none + weights[placed.indicator()];
  }
  return graph.numbers(name, {rows, units}, table);
}

}  // namespace

void check_scale(const char* what, const std::string& name, double scale) {
  if (!(scale >= 1.0 / largest_scale && scale <= largest_scale))
    throw core::UsageError(fmt::format("ONNX: {} '{}' has the scale {}; from {} to {} can be written", what, name,
                                       scale, 1.0 / largest_scale, largest_scale));
}

Columns add_columns(Graph& graph, const data::Encoder& encoder) {
  const auto& inputs = encoder.inputs();
  if (encoder.all_numeric())
    return {graph.input("X", Graph::Type::FLOAT, inputs.size(), "one column per input, NaN where missing"), {}};
  Columns columns;
  Names numbers;
  for (const data::Input& input : inputs) {
    const bool text = input.kind == Kind::text;
    (text ? columns.texts : numbers)
        .push_back(graph.input(input.name, text ? Graph::Type::STRING : Graph::Type::FLOAT, 1, input.name));
  }
  if (!numbers.empty()) columns.numbers = graph.node("Concat", numbers, "numbers", {{"axis", 1}});
  return columns;
}

Hidden add_hidden(Graph& graph, const model::Model& model, const Columns& columns, Dial& dial) {
  const network::Network& network = model.network;
  const NumericPart numeric(model);
  const std::string bias = dial.cut(graph.numbers("hidden_bias", {network.units()}, numeric.bias()), 0);
  Hidden hidden;
  Names sums{bias};
  if (numeric.inputs() > 0) {
    const std::string features = numeric.add_features(graph, columns.numbers, hidden.filled);
    hidden.numeric_inputs = numeric.inputs();
    const std::string weights = dial.cut(numeric.add_weights(graph), 0);
    sums = {graph.node("Gemm", {features, weights, bias}, "number_sums", {{"transB", 1}})};
  }
  const std::vector<Placed> texts = inputs_of(model.encoder, Kind::text);
  const std::vector<std::int64_t> last{1};
  const std::string axis = texts.empty() ? "" : graph.wholes("text_axis", last);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string places = add_places(graph, *texts[i].input, columns.texts[i]);
    const std::string flat = graph.node("Squeeze", {places, axis}, places + "_flat");
    const std::string table = dial.cut(add_table(graph, network, texts[i], columns.texts[i] + "_table"), 1);
    sums.push_back(graph.node("Gather", {table, flat}, columns.texts[i] + "_sums", {{"axis", 0}}));
  }
  hidden.sums = sums.size() == 1 ? sums.front() : graph.node("Sum", sums, "hidden_sums");
  return hidden;
}

}  // namespace accrete::onnx
