#include "accrete/onnx/hidden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/data/encode_column.hpp"
#include "accrete/data/missing.hpp"
#include "accrete/onnx/numeric.hpp"

namespace accrete::onnx {
namespace {

using Kind = data::Column::Kind;

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
