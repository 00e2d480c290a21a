#include "accrete/io/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "accrete/core/counted.hpp"
#include "accrete/core/version.hpp"
#include "accrete/io/c_source/early_exit.hpp"
#include "accrete/io/c_source/encoding.hpp"
#include "accrete/io/c_source/functions.hpp"
#include "accrete/io/c_source/names.hpp"
#include "accrete/io/c_source/network.hpp"
#include "accrete/io/c_source/text.hpp"
#include "accrete/io/model_file/check.hpp"
#include "accrete/model/interval.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::io {
namespace {

bool is_text(const data::Input& input) {
  return input.kind == data::Column::Kind::text;
}

/// Names of the enumerators for inputs and levels, unique in the header.
struct Identifiers {
  std::vector<std::string> inputs;               ///< @_at_age
  std::vector<std::vector<std::string>> levels;  ///< per input: @_colour_red
};

Identifiers identifiers(const data::Encoder& encoder) {
  CNames names;
  for (const char* own : {"OK", "UNSEEN_LEVEL", "ERROR_NULL", "ERROR_INPUT", "ERROR_INFINITE", "ERROR_NEGATIVE_UNITS",
                          "ERROR_TOO_MANY_UNITS", "ERROR_TOO_FEW_UNITS", "input_name", "output_name", "predict_exit"})
    names.take(own);
  Identifiers ids;
  for (const data::Input& input : encoder.inputs()) ids.inputs.push_back(names.take("at_" + c_word(input.name)));
  for (const data::Input& input : encoder.inputs()) {
    ids.levels.emplace_back();
    for (const std::string& level : input.levels)
      ids.levels.back().push_back(names.take(c_word(input.name) + "_" + c_word(level)));
  }
  return ids;
}

bool has_exits(const model::Model& model) {
  return model.early_exit.disagreement > 0.0;
}

/// The comment at the top of the header. Contains no text of the model, which could end the comment.
std::string head(const model::Model& model, const Identifiers& ids, std::size_t bytes) {
  const auto& inputs = model.encoder.inputs();
  const bool classes = !model.classes.empty();
  std::string text = fmt::format(
      "// @: {} from {}; {} in {}, activation {}, loss {}.\n// Written by accrete {}; change the model, not this "
      "file.\n"
      "//\n//   float x[@_INPUTS], {}[@_OUTPUTS];\n",
      classes ? fmt::format("{} classes", model.classes.size())
              : core::counted(model.prediction_names().size(), "number"),
      core::counted(inputs.size(), "input"), core::counted(model.network.units(), "unit"),
      core::counted(model.network.steps(), "step"), model.network.activation().name(), model.loss.name(),
      core::version(), classes ? "p" : "y");
  const auto number = std::ranges::find_if_not(inputs, is_text), category = std::ranges::find_if(inputs, is_text);
  if (number != inputs.end())
    text += fmt::format("//   x[@_{}] = 1.5f;  // every input; NAN if it is missing\n",
                        ids.inputs[static_cast<std::size_t>(number - inputs.begin())]);
  if (category != inputs.end()) {
    const auto i = static_cast<std::size_t>(category - inputs.begin());
    if (!ids.levels[i].empty())
      text += fmt::format("//   x[@_{0}] = @_{1};  // a category\n", ids.inputs[i], ids.levels[i][0]);
    text += fmt::format("//   x[@_{0}] = (float)@_level(@_{0}, text);  // the same from text\n", ids.inputs[i]);
  }
  text += fmt::format("//   int error = @_predict(x, 0, {0});  // {1}; returns @_OK or an error\n", classes ? "p" : "y",
                      classes ? "the probability of each class" : "the prediction");
  if (model.network.steps() > 1)
    text += fmt::format("//   error = @_predict(x, {}, {});  // the dial: fewer units, less time\n",
                        model.network.units_after((model.network.steps() + 1) / 2), classes ? "p" : "y");
  if (has_exits(model))
    text += fmt::format("//   error = @_predict_exit(x, {}, NULL);  // stops once the prediction is settled\n",
                        classes ? "p" : "y");
  if (const std::string note = model::interval_note(model); !note.empty())
    text += fmt::format("//\n// Predicts {}.\n", note);
  return text +
         fmt::format(
             "//\n// C99 or C++; needs math.h, allocates nothing, computes in float. {} bytes of constants, {} of "
             "stack for arrays.\n// Every source file that calls @_predict gets its own copy of the constants.\n",
             bytes, sizeof(float) * (model.network.features() + (has_exits(model) ? 3 : 1) * model.network.outputs()));
}

std::string enumeration(const std::string& comment, const std::vector<std::string>& words) {
  return words.empty() ? "" : fmt::format("\n{}enum {{\n{}}};\n", comment, c_lines(words));
}

std::string enumerations(const model::Model& model, const Identifiers& ids) {
  const network::Network& network = model.network;
  std::string text = enumeration(
      "",
      {fmt::format("@_INPUTS = {}", model.encoder.inputs().size()),
       fmt::format("@_OUTPUTS = {}", model::predictions_per_row(model)), fmt::format("@_UNITS = {}", network.units()),
       fmt::format("@_MOST_UNITS_ = {}", model.max_units()), fmt::format("@_STEPS_ = {}", network.steps()),
       fmt::format("@_FEATURES_ = {}", network.features()), fmt::format("@_SCORES_ = {}", network.outputs())});
  if (has_exits(model)) text += enumeration("", {fmt::format("@_EXITS_ = {}", model.early_exit.exits.size())});
  text += "\nenum {\n  @_OK = 0,\n";
  if (!model.encoder.all_numeric())
    text += R"(  @_UNSEEN_LEVEL = -1,          // from @_level: not seen in training; valid in x
  @_ERROR_INPUT = -2,           // from @_level: no such input, or it has no levels
)";
  text += R"(  @_ERROR_NULL = -3,            // a pointer is NULL
  @_ERROR_INFINITE = -4,        // x contains an infinity
  @_ERROR_NEGATIVE_UNITS = -5,  // units below 0
  @_ERROR_TOO_MANY_UNITS = -6,  // units above those of the network
  @_ERROR_TOO_FEW_UNITS = -7,   // units below those of the first step
};
)";
  std::vector<std::string> words;
  for (std::size_t i = 0; i < ids.inputs.size(); ++i) words.push_back(fmt::format("@_{} = {}", ids.inputs[i], i));
  text += enumeration("// Indices into x.\n", words);
  for (std::size_t i = 0; i < ids.levels.size(); ++i) {
    words.clear();
    for (std::size_t l = 0; l < ids.levels[i].size(); ++l)
      words.push_back(fmt::format("@_{} = {}", ids.levels[i][l], l));
    text += enumeration(fmt::format("// Levels of x[@_{}].\n", ids.inputs[i]), words);
  }
  return text;
}

/// A table inside a function, so that programs that do not call it do not contain it.
std::string string_table(const std::string& name, const std::vector<std::string>& strings) {
  std::vector<std::string> words;
  words.reserve(strings.size());
  for (const std::string& string : strings) words.push_back(c_string(string));
  if (words.empty()) words.push_back(c_string(""));
  return fmt::format("  static const char* const {}[] = {{\n{}  }};\n", name, c_lines(words, 4));
}

std::string name_function(const std::string& what, const std::string& count, const std::vector<std::string>& names) {
  return fmt::format(
      "\nstatic inline const char* @_{0}_name(int {0}) {{\n{1}  return {0} >= 0 && {0} < (int)@_{2} ? names[{0}] : "
      "NULL;\n"
      "}}\n",
      what, string_table("names", names), count);
}

std::string level_function(const data::Encoder& encoder) {
  std::vector<std::string> levels, first{"0"};
  for (const data::Input& input : encoder.inputs()) {
    levels.insert(levels.end(), input.levels.begin(), input.levels.end());
    first.push_back(fmt::format("{}", levels.size()));
  }
  return fmt::format(
      "\n// The index of the level with this text, for x; or @_UNSEEN_LEVEL, or an error.\n"
      "static inline int @_level(int input, const char* text) {{\n{}  static const {} first[] = {{\n{}  }};\n{}",
      string_table("levels", levels), c_index_type(levels.size()), c_lines(first, 4),
      R"(  if (text == NULL) return @_ERROR_NULL;
  if (input < 0 || input >= (int)@_INPUTS || first[input] == first[input + 1]) return @_ERROR_INPUT;
  for (int level = 0; level < (int)(first[input + 1] - first[input]); ++level)
    if (strcmp(levels[(int)first[input] + level], text) == 0) return level;
  return @_UNSEEN_LEVEL;
}
)");
}

CTables tables(const CNetwork& network, const CEncoding& encoding, bool plain) {
  CTables tables;
  if (encoding.wide) {
    tables.comment("Per input: mean, 1 / scale. Both 0 for a category.");
    tables.add("@_standard_", encoding.wide_standard);
  } else {
    tables.comment("Per input: mean rounded to float, rest of the mean, scale. All 0 for a category.");
    tables.add("@_standard_", encoding.standard);
  }
  if (!plain) {
    tables.comment("Per input: index of its first feature; number of features without the gap flag.");
    tables.add("@_first_", encoding.first_feature);
    tables.add("@_values_", encoding.values);
  }
  if (encoding.has_bins()) {
    tables.comment("Per bin: first boundary, width, slope, value below the bin. Per input: index of its first bin.");
    if (encoding.wide)
      tables.add("@_bins_", encoding.wide_bins);
    else
      tables.add("@_bins_", encoding.bins);
    tables.add("@_first_bin_", encoding.first_bin);
  }
  tables.comment(network.sparse ? "Per step: units, number of features they read, indices of these features."
                                : "Units of each step.");
  tables.add("@_step_units_", network.step_units);
  if (network.sparse) {
    tables.add("@_step_width_", network.step_width);
    tables.add("@_listed_", network.listed);
  }
  tables.comment("Per unit: bias, a weight per feature, a weight per score.");
  tables.add("@_weights_", network.weights);
  tables.comment("Biases of the scores after 0, 1, 2, ... steps.");
  tables.add("@_bias_", network.bias);
  return tables;
}

std::string with_name(const std::string& text, const std::string& name) {
  std::string named;
  named.reserve(text.size() + text.size() / 8);
  for (const char c : text)
    if (c == '@')
      named += name;
    else
      named += c;
  return named;
}

}  // namespace

std::string c_source(const model::Model& model, const CSourceOptions& options) {
  check_c_name(options.name);
  model::require_grown(model, "C");
  check_model(model);
  model::check_link(model, model.network.outputs());
  const auto& inputs = model.encoder.inputs();
  const CNetwork network = c_network(model);
  const CEncoding encoding = c_encoding(model.encoder);
  CVariant variant;
  variant.plain = model.encoder.all_numeric() && model.encoder.features() == inputs.size();
  variant.wide = encoding.wide;
  variant.bins = encoding.has_bins();
  variant.sparse = network.sparse;
  variant.index = c_index_type(network.listed.empty() ? 0 : *std::ranges::max_element(network.listed));
  variant.activation = model.network.activation().c_body();
  variant.link = model.loss.link();
  variant.sorted = !model.loss.quantiles().empty();
  variant.monotone = model.network.exact_activation();

  CTables numbers = tables(network, encoding, variant.plain);
  if (has_exits(model)) add_exit_tables(model.early_exit, numbers);
  const Identifiers ids = identifiers(model.encoder);
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const data::Input& input : inputs) names.push_back(input.name);
  std::string text = head(model, ids, numbers.bytes());
  text += "#ifndef accrete_@_h\n#define accrete_@_h\n\n#include <float.h>\n#include <math.h>\n#include <stddef.h>\n";
  text += "#include <stdint.h>\n#include <string.h>\n";
  text += enumerations(model, ids) + "\n" + numbers.text() + c_functions(variant);
  if (has_exits(model)) text += c_exit_functions(variant, model.early_exit);
  text += name_function("input", "INPUTS", names);
  text += name_function("output", "OUTPUTS", model.prediction_names());
  if (!model.encoder.all_numeric()) text += level_function(model.encoder);
  return with_name(text + "\n#endif\n", options.name);
}

}  // namespace accrete::io
