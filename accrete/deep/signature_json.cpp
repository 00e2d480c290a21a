#include "accrete/deep/signature_json.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::deep {
namespace {

using Json = nlohmann::json;

/// Larger than any image of which a batch fits in memory.
constexpr std::int64_t max_pixels = 1 << 20;

[[noreturn]] void refuse(const std::string& why) {
  throw core::FileError("damaged (" + why + ")");
}

Json input_json(const data::Input& input) {
  Json json{{"name", input.name}, {"indicator", input.gap_flag}};
  if (input.kind == data::Column::Kind::text) {
    json["levels"] = input.levels;
    json["shares"] = input.shares;
    return json;
  }
  json["mean"] = input.mean;
  json["scale"] = input.scale;
  if (input.bins() == 0) return json;
  json["knots"] = input.knots;
  json["bin_means"] = input.bin_means;
  json["bin_scales"] = input.bin_scales;
  return json;
}

data::Input read_input(const Json& json) {
  data::Input input;
  input.name = json.at("name").get<std::string>();
  input.gap_flag = json.at("indicator").get<bool>();
  if (json.contains("levels")) {
    input.kind = data::Column::Kind::text;
    json.at("levels").get_to(input.levels);
    json.at("shares").get_to(input.shares);
    if (input.levels.size() != input.shares.size()) refuse("a column has different numbers of levels and shares");
    return input;
  }
  input.mean = json.at("mean").get<double>();
  input.scale = json.at("scale").get<double>();
  if (!json.contains("knots")) return input;
  json.at("knots").get_to(input.knots);
  json.at("bin_means").get_to(input.bin_means);
  json.at("bin_scales").get_to(input.bin_scales);
  return input;
}

Json inputs_json(const Inputs& inputs) {
  if (inputs.kind == Inputs::Kind::images)
    return {{"kind", "images"}, {"channels", inputs.channels}, {"height", inputs.height}, {"width", inputs.width}};
  Json columns = Json::array();
  for (const data::Input& input : inputs.encoder.inputs()) columns.push_back(input_json(input));
  return {{"kind", "table"}, {"columns", columns}};
}

std::int64_t read_extent(const Json& json, const char* name) {
  const auto extent = json.at(name).get<std::int64_t>();
  if (extent < 1 || extent > max_pixels) refuse(std::string("its images' ") + name + " is out of range");
  return extent;
}

Inputs read_inputs(const Json& json) {
  Inputs inputs;
  const auto kind = json.at("kind").get<std::string>();
  if (kind == "images") {
    inputs.kind = Inputs::Kind::images;
    inputs.channels = read_extent(json, "channels");
    inputs.height = read_extent(json, "height");
    inputs.width = read_extent(json, "width");
    return inputs;
  }
  if (kind != "table") refuse("its inputs are neither a table nor images");
  std::vector<data::Input> columns;
  for (const Json& column : json.at("columns")) columns.push_back(read_input(column));
  if (columns.empty()) refuse("its table has no columns");
  inputs.encoder = data::Encoder(std::move(columns));
  return inputs;
}

Signature parse_signature(const Json& json) {
  Signature signature;
  signature.inputs = read_inputs(json.at("inputs"));
  signature.task = data::task_named(json.at("task").get<std::string>());
  json.at("targets").get_to(signature.targets);
  json.at("classes").get_to(signature.classes);
  signature.shift = json.at("shift").get<double>();
  signature.scale = json.at("scale").get<double>();
  const std::size_t classes = signature.classes.size();
  const bool fits = signature.task == data::Task::regression ? classes == 0
                    : signature.task == data::Task::binary   ? classes == 2
                                                             : classes >= 2;
  if (!fits) refuse("its classes do not fit its task");
  if (signature.targets.size() != 1) refuse("it must have one target");
  if (!(signature.scale > 0.0) || !std::isfinite(signature.scale) || !std::isfinite(signature.shift))
    refuse("its target scale is invalid");
  return signature;
}

}  // namespace

Json signature_json(const Signature& signature) {
  return {{"inputs", inputs_json(signature.inputs)},
          {"task", data::task_name(signature.task)},
          {"targets", signature.targets},
          {"classes", signature.classes},
          {"shift", signature.shift},
          {"scale", signature.scale}};
}

Signature read_signature(const Json& json) {
  try {
    return parse_signature(json);
  } catch (const Json::exception&) {
    refuse("the description of its inputs and outputs is incomplete");
  } catch (const core::FileError&) {
    throw;
  } catch (const core::Error& error) {
    refuse(error.what());
  }
}

}  // namespace accrete::deep
