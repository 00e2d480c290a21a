#include "accrete/io/model_file/description.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/io/model_file/early_exit.hpp"
#include "accrete/io/model_file/format.hpp"
#include "accrete/io/model_file/json_fields.hpp"
#include "accrete/io/strict_json.hpp"

namespace accrete::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kind_names[] = {"numeric", "text"};

data::Input read_input(const Json& entry) {
  data::Input input;
  input.name = text_field(entry, "name");
  const std::string& kind = text_field(entry, "kind");
  if (kind != kind_names[0] && kind != kind_names[1])
    refuse_description(fmt::format("unknown kind of input '{}'", kind));
  input.kind = kind == kind_names[0] ? data::Column::Kind::numeric : data::Column::Kind::text;
  const Json& gap_flag = field(entry, "indicator");
  if (!gap_flag.is_boolean()) refuse_description("'indicator' is not true or false");
  input.gap_flag = gap_flag.get<bool>();
  input.levels = texts_field(entry, "levels");
  if (entry.contains("format")) input.format = read_format(entry["format"]);
  return input;
}

std::size_t read_bins(const Json& entry) {
  if (!entry.contains("bins")) return 0;
  const std::uint64_t bins = count_field(entry, "bins");
  if (bins < 2 || bins > data::max_bins)
    refuse_description(fmt::format("'bins' is {}; it must be from 2 to 256", bins));
  return bins;
}

std::uint64_t read_fingerprint(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  if (text.size() != 16 || error != std::errc{} || stop != end)
    refuse_description("'data_fingerprint' is not 16 hex digits");
  return value;
}

/// Levels of several quantiles; optional in the file.
void read_quantiles(const Json& loss, loss::LossSettings& settings) {
  if (!loss.contains("quantiles")) return;
  for (const Json& level : list_field(loss, "quantiles")) {
    if (!level.is_number() || settings.level_count == loss::LossSettings::max_levels)
      refuse_description("'quantiles' is not a short list of numbers");
    settings.levels[settings.level_count++] = level.get<double>();
  }
}

void read_parameters(const Json& object, model::Provenance& provenance) {
  const Json& parameters = field(object, "parameters");
  if (!parameters.is_object()) refuse_description("'parameters' is not an object");
  for (const auto& [name, value] : parameters.items())
    provenance.parameters.emplace_back(name, text_of(value, "parameters"));
}

/// How parameters were chosen; optional in the file.
model::ParameterChoice read_choice(const Json& document) {
  model::ParameterChoice choice;
  if (!document.contains("choice")) return choice;
  const Json& object = field(document, "choice");
  choice.folds = count_field(object, "parts");
  choice.held_out_rows = count_field(object, "held_out_rows");
  for (const Json& entry : list_field(object, "trials")) {
    model::Trial trial;
    const Json& parameters = field(entry, "parameters");
    if (!parameters.is_object()) refuse_description("'parameters' of a trial is not an object");
    for (const auto& [name, value] : parameters.items())
      trial.parameters.emplace_back(name, text_of(value, "parameters"));
    trial.units = count_field(entry, "units");
    trial.loss = number_field(entry, "loss");
    choice.trials.push_back(std::move(trial));
  }
  return choice;
}

/// The method; a file without one has a grown network.
model::Method read_method(const Json& document) {
  if (!document.contains("method")) return model::Method::boosting;
  const std::string& name = text_field(document, "method");
  try {
    return model::method_named(name);
  } catch (const core::UsageError&) {
    throw core::FileError(
        fmt::format("made by the unknown method '{}'; this version knows {}", name, model::list_methods()));
  }
}

/// The shape of the plain networks.
void read_plain(const Json& document, ModelDescription& result) {
  if (result.model.method == model::Method::boosting) {
    if (document.contains("members")) refuse_description("'members' of a grown network");
    return;
  }
  result.members = count_field(document, "members");
  for (const Json& width : list_field(document, "widths")) {
    if (!width.is_number_unsigned()) refuse_description("'widths' contains something that is not a count");
    result.widths.push_back(width.get<std::uint64_t>());
  }
  const auto& widths = result.widths;
  if (result.members == 0 || widths.size() < 2 || std::ranges::find(widths, std::size_t{0}) != widths.end())
    refuse_description("'members' and 'widths' do not describe a network");
  if (widths.front() != result.features || widths.back() != result.outputs)
    refuse_description("'widths' disagrees with 'features' and 'outputs'");
}

Json describe_choice(const model::ParameterChoice& choice) {
  Json object, trials = Json::array();
  object["parts"] = choice.folds;
  object["held_out_rows"] = choice.held_out_rows;
  for (const model::Trial& trial : choice.trials) {
    Json entry, parameters = Json::object();
    for (const auto& [name, value] : trial.parameters) parameters[name] = value;
    entry["parameters"] = std::move(parameters);
    entry["units"] = trial.units;
    entry["loss"] = trial.loss;
    trials.push_back(std::move(entry));
  }
  object["trials"] = std::move(trials);
  return object;
}

Json describe_inputs(const model::Model& model) {
  Json inputs = Json::array();
  for (const data::Input& input : model.encoder.inputs()) {
    Json entry;
    entry["name"] = input.name;
    entry["kind"] = kind_names[input.kind == data::Column::Kind::numeric ? 0 : 1];
    entry["indicator"] = input.gap_flag;
    entry["levels"] = input.levels;
    if (input.bins() > 0) entry["bins"] = input.bins();
    if (input.format != data::TextFormat{}) entry["format"] = describe_format(input.format);
    inputs.push_back(std::move(entry));
  }
  return inputs;
}

}  // namespace

std::string write_description(const model::Model& model) {
  Json document;
  if (model.method != model::Method::boosting) document["method"] = model::method_name(model.method);
  document["task"] = data::task_name(model.task);
  document["loss"]["name"] = model.loss.name();
  document["loss"]["huber_delta"] = model.loss.settings.huber_delta;
  document["loss"]["quantile"] = model.loss.settings.quantile;
  if (const auto levels = model.loss.quantiles(); !levels.empty())
    document["loss"]["quantiles"] = std::vector<double>(levels.begin(), levels.end());
  if (model.calibration.coverage > 0.0)
    document["calibration"] = {{"coverage", model.calibration.coverage}, {"rows", model.calibration.rows}};
  if (model.early_exit != model::EarlyExit{}) document["early_exit"] = describe_early_exit(model.early_exit);
  document["activation"] = model.network.activation().name();
  document["targets"] = model.targets;
  document["classes"] = model.classes;
  if (!model.offset_column.empty()) document["offset_column"] = model.offset_column;
  document["inputs"] = describe_inputs(model);
  Json& parameters = document["parameters"] = Json::object();
  for (const auto& [name, value] : model.provenance.parameters) parameters[name] = value;
  if (!model.provenance.choice.trials.empty()) document["choice"] = describe_choice(model.provenance.choice);
  document["training_rows"] = model.provenance.training_rows;
  document["data_fingerprint"] = fmt::format("{:016x}", model.provenance.data_fingerprint);
  document["units"] = model.network.units();
  document["features"] = model.network.features();
  document["outputs"] = model.network.outputs();
  if (!model.members.empty()) {
    document["members"] = model.members.size();
    document["widths"] = model.members.front().network.shape.widths();
  }
  try {
    return document.dump();
  } catch (const nlohmann::json::exception&) {
    throw core::DataError("a column name, level or class label is not valid UTF-8");
  }
}

ModelDescription parse_description(std::string_view text) {
  const Json document = parse_strict<Json>(text, description_name);
  const Json& loss = field(document, "loss");
  ModelDescription result;
  model::Model& model = result.model;
  model.method = read_method(document);
  model.task = data::task_named(text_field(document, "task"));
  model.loss =
      loss::Loss::named(text_field(loss, "name"), {number_field(loss, "huber_delta"), number_field(loss, "quantile")});
  read_quantiles(loss, model.loss.settings);
  if (document.contains("calibration")) {
    const Json& calibration = field(document, "calibration");
    model.calibration.coverage = number_field(calibration, "coverage");
    model.calibration.rows = count_field(calibration, "rows");
  }
  if (document.contains("early_exit")) model.early_exit = read_early_exit(field(document, "early_exit"));
  result.activation = activation::Activation::named(text_field(document, "activation"));
  model.targets = texts_field(document, "targets");
  model.classes = texts_field(document, "classes");
  if (document.contains("offset_column")) model.offset_column = text_field(document, "offset_column");
  for (const Json& entry : list_field(document, "inputs")) {
    result.inputs.push_back(read_input(entry));
    result.bins.push_back(read_bins(entry));
  }
  read_parameters(document, model.provenance);
  model.provenance.choice = read_choice(document);
  model.provenance.training_rows = count_field(document, "training_rows");
  model.provenance.data_fingerprint = read_fingerprint(text_field(document, "data_fingerprint"));
  result.units = count_field(document, "units");
  result.features = count_field(document, "features");
  result.outputs = count_field(document, "outputs");
  read_plain(document, result);
  return result;
}

}  // namespace accrete::io
