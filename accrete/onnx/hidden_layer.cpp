#include "accrete/onnx/hidden_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/overloaded.hpp"
#include "accrete/data/encoder/level_numbers.hpp"
#include "accrete/data/missing.hpp"
#include "accrete/onnx/numeric_columns.hpp"

namespace accrete::onnx {
namespace {

using Kind = data::Column::Kind;

/// A text column and its encoding.
struct TextColumn {
  const data::Input& input;
  const data::ColumnEncoding& encoding;

  bool has_gap_flag() const { return encoding.find<data::GapFlag>(); }
  std::size_t levels() const { return input.levels.size(); }
  std::size_t codes() const { return levels() + 1 + (has_gap_flag() ? 1 : 0); }  ///< levels, unseen, missing
};

/// All spellings of a word in lower and upper case.
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

/// Adds other spellings of levels that are numbers: accrete reads "1.0" as "1", but a graph only compares text.
void add_numbers(const data::Input& input, std::set<std::string>& known, std::vector<std::string>& keys,
                 std::vector<std::int64_t>& codes) {
  std::vector<std::pair<double, float>> numbers;
  for (const auto& entry : data::levels_by_number(input)) numbers.push_back(entry);
  std::ranges::sort(numbers);
  for (const auto& [number, level] : numbers)
    for (const std::string& text : data::number_spellings(number))
      if (known.insert(text).second) keys.push_back(text), codes.push_back(static_cast<std::int64_t>(level));
}

/// The code of each text, which is a row index into the column's table: its level, the row after the levels for unseen
/// text, or the row after that for a missing value.
std::string add_codes(Graph& graph, const TextColumn& column, const std::string& texts) {
  const auto unseen = static_cast<std::int64_t>(column.levels());
  std::vector<std::string> keys;
  std::vector<std::int64_t> codes;
  std::set<std::string> known;
  for (std::size_t l = 0; l < column.levels(); ++l)
    if (known.insert(column.input.levels[l]).second)
      keys.push_back(column.input.levels[l]), codes.push_back(static_cast<std::int64_t>(l));
  add_numbers(column.input, known, keys, codes);
  // Without a gap flag a missing value counts as unseen text. A level that is spelled like a missing value stays a
  // level.
  if (column.has_gap_flag()) {
    std::vector<std::string> missing;
    for (const std::string_view word : data::missing_words) add_spellings(word, missing);
    missing.insert(missing.end(), column.input.format.missing.begin(), column.input.format.missing.end());
    for (const std::string& word : missing)
      if (known.insert(word).second) keys.push_back(word), codes.push_back(unseen + 1);
  }
  // Some runtimes reject a LabelEncoder without keys; this key maps to the default code.
  if (keys.empty()) keys.emplace_back(), codes.push_back(unseen);
  return graph.label_encoder(texts, keys, codes, unseen);
}

/// The contribution of each code to each unit's sum: a row of this table replaces the product with one-hot features.
/// Summed in double, because a level that nearly all rows have makes its one-hot features large.
std::string add_table(Graph& graph, const network::Network& network, const TextColumn& column,
                      const std::string& name) {
  const std::size_t rows = column.codes(), units = network.units();
  const float* weights = network.hidden_weights().data();
  std::vector<double> table(rows * units, 0.0);
  const auto add_one_hot = [&](const data::OneHot& by, const data::FeatureGroup& group) {
    for (std::size_t u = 0; u < units; ++u) {
      const float* w = weights + u * network.features() + group.first;
      double none = 0.0;
      for (std::size_t l = 0; l < by.levels.size(); ++l) none += double{w[l]} * by.levels[l].off;
      for (std::size_t r = 0; r < rows; ++r) table[r * units + u] = none;
      for (std::size_t l = 0; l < by.levels.size(); ++l) {
        const double on = by.levels[l].on, off = by.levels[l].off;
        table[l * units + u] = none + w[l] * (on - off);
      }
    }
  };
  const auto add_gap_flag = [&](const data::GapFlag&, const data::FeatureGroup& group) {
    for (std::size_t u = 0; u < units; ++u)
      table[(rows - 1) * units + u] += weights[u * network.features() + group.first];
  };
  column.encoding.visit(core::Overloaded{[](const data::Standardised&) {},  // numeric columns only
                                         [](const data::Bins&) {},          // numeric columns only
                                         add_one_hot, add_gap_flag});
  return graph.floats(name, {rows, units}, table);
}

}  // namespace

void check_scale(const char* what, const std::string& name, double scale) {
  if (!(scale >= 1.0 / max_scale && scale <= max_scale))
    throw core::UsageError(fmt::format("ONNX: {} '{}' has the scale {}; it must be from {} to {}", what, name, scale,
                                       1.0 / max_scale, max_scale));
}

GraphColumns add_columns(Graph& graph, const data::Encoder& encoder) {
  const auto& inputs = encoder.inputs();
  if (encoder.all_numeric())
    return {graph.input("X", Graph::Type::FLOAT, inputs.size(), "one column per input, NaN where missing"), {}};
  GraphColumns columns;
  Names numbers;
  for (const data::Input& input : inputs) {
    const bool text = input.kind == Kind::text;
    (text ? columns.texts : numbers)
        .push_back(graph.input(input.name, text ? Graph::Type::STRING : Graph::Type::FLOAT, 1, input.name));
  }
  if (!numbers.empty()) columns.numbers = graph.node("Concat", numbers, "numbers", {{"axis", 1}});
  return columns;
}

HiddenLayer add_hidden_layer(Graph& graph, const model::Model& model, const GraphColumns& columns, Dial& dial) {
  const network::Network& network = model.network;
  const NumericColumns numeric(model);
  const std::string bias = dial.prefix(graph.floats("hidden_bias", {network.units()}, numeric.bias()), 0);
  HiddenLayer hidden;
  Names sums{bias};
  if (numeric.size() > 0) {
    const std::string features = numeric.add_features(graph, columns.numbers, hidden.filled);
    hidden.numeric_columns = numeric.size();
    const std::string weights = dial.prefix(numeric.add_weights(graph), 0);
    sums = {graph.node("Gemm", {features, weights, bias}, "number_sums", {{"transB", 1}})};
  }
  const std::vector<std::int64_t> last{1};
  const std::string axis = columns.texts.empty() ? "" : graph.integers("text_axis", last);
  auto texts = columns.texts.begin();
  for (std::size_t i = 0; i < model.encoder.inputs().size(); ++i) {
    const TextColumn column{model.encoder.inputs()[i], model.encoder.columns()[i]};
    if (column.input.kind != Kind::text) continue;
    const std::string codes = add_codes(graph, column, *texts);
    const std::string flat = graph.node("Squeeze", {codes, axis}, codes + "_flat");
    const std::string table = dial.prefix(add_table(graph, network, column, *texts + "_table"), 1);
    sums.push_back(graph.node("Gather", {table, flat}, *texts + "_sums", {{"axis", 0}}));
    ++texts;
  }
  hidden.sums = sums.size() == 1 ? sums.front() : graph.node("Sum", sums, "hidden_sums");
  return hidden;
}

}  // namespace accrete::onnx
