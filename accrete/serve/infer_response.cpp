#include "accrete/serve/infer_response.hpp"

#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "accrete/serve/binary_tensor.hpp"

namespace accrete::serve {
namespace {

void append_values(std::string& json, const OutputTensor& output) {
  json += ",\"data\":[";
  const bool is_boolean = output.datatype->kind == Datatype::Kind::boolean;
  const std::size_t size = output.datatype->is_text() ? output.texts.size() : output.numbers.size();
  fmt::memory_buffer numbers;  // faster than appending numbers one by one
  for (std::size_t i = 0; i < size; ++i) {
    const char* comma = i > 0 ? "," : "";
    if (output.datatype->is_text())
      json += comma + json_text(output.texts[i]);
    else if (is_boolean)
      json.append(comma).append(output.numbers[i] > 0.0 ? "true" : "false");
    else
      fmt::format_to(std::back_inserter(numbers), FMT_COMPILE("{}{}"), comma, output.numbers[i]);
  }
  json.append(numbers.data(), numbers.size());
  json += ']';
}

void append_output(std::string& json, std::string& binary, const OutputTensor& output) {
  fmt::format_to(std::back_inserter(json), "{{\"name\":{},\"datatype\":\"{}\",\"shape\":[{}]", json_text(output.name),
                 output.datatype->name, fmt::join(output.shape, ","));
  if (!output.binary) {
    append_values(json, output);
  } else {
    const std::size_t before = binary.size();
    if (output.datatype->is_text())
      append_binary(binary, output.texts);
    else
      append_binary(binary, output.numbers, *output.datatype);
    fmt::format_to(std::back_inserter(json), ",\"parameters\":{{\"binary_data_size\":{}}}", binary.size() - before);
  }
  json += '}';
}

}  // namespace

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string error_json(std::string_view message) {
  return fmt::format("{{\"error\":{}}}", json_text(message));
}

RenderedResponse render(const InferResponse& response) {
  std::string json = fmt::format("{{\"model_name\":{},\"model_version\":{}", json_text(response.model_name),
                                 json_text(response.model_version));
  if (!response.id.empty()) json += ",\"id\":" + json_text(response.id);
  json += fmt::format(",\"parameters\":{{\"units\":{}", response.units);
  if (response.mean_units) json += fmt::format(",\"mean_units\":{}", *response.mean_units);
  json += "},\"outputs\":[";
  std::string binary;
  bool any_binary = false;
  for (std::size_t i = 0; i < response.outputs.size(); ++i) {
    if (i > 0) json += ',';
    append_output(json, binary, response.outputs[i]);
    any_binary = any_binary || response.outputs[i].binary;
  }
  json += "]}";
  const auto size = any_binary ? std::optional(json.size()) : std::nullopt;
  json += binary;
  return {.body = std::move(json), .json_size = size};
}

}  // namespace accrete::serve
