#include "accrete/serve/infer_request.hpp"

#include <fmt/format.h>

#include "accrete/serve/binary_tensor.hpp"
#include "accrete/serve/request_error.hpp"
#include "accrete/serve/request_reader.hpp"

namespace accrete::serve {
namespace {

constexpr const char* binary_size = "binary_data_size";

/// Binary tensors follow the JSON in the order of the inputs; other inputs have their data in the JSON.
void read_binary_inputs(InferRequest& request, std::vector<bool> has_data, std::string_view bytes) {
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    Tensor& tensor = request.inputs[i];
    const auto found = request.input_parameters[i].find(binary_size);
    if (found == request.input_parameters[i].end()) {
      if (!has_data[i]) throw RequestError(fmt::format("input '{}': no data", tensor.name));
      continue;
    }
    const std::int64_t* size = std::get_if<std::int64_t>(&found->second);
    if (has_data[i]) throw RequestError(fmt::format("input '{}': data in the JSON and in binary", tensor.name));
    if (!size || *size < 0 || static_cast<std::uint64_t>(*size) > bytes.size())
      throw RequestError(fmt::format("input '{}': {} must be at most {}, the bytes that follow the JSON", tensor.name,
                                     binary_size, bytes.size()));
    read_binary(tensor, bytes.substr(0, static_cast<std::size_t>(*size)));
    bytes.remove_prefix(static_cast<std::size_t>(*size));
  }
  if (!bytes.empty()) throw RequestError(fmt::format("{} bytes follow the last tensor", bytes.size()));
}

bool flag(const Parameters& parameters, const char* name, bool otherwise) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return otherwise;
  if (const bool* value = std::get_if<bool>(&found->second)) return *value;
  throw RequestError(fmt::format("parameter '{}': must be true or false", name));
}

}  // namespace

std::optional<std::size_t> InferRequest::units() const {
  const auto found = parameters.find("units");
  if (found == parameters.end()) return std::nullopt;
  const std::int64_t* units = std::get_if<std::int64_t>(&found->second);
  if (!units || *units < 1) throw RequestError("parameter 'units': must be a whole number of at least 1");
  return static_cast<std::size_t>(*units);
}

bool InferRequest::exits() const {
  const bool exits = flag(parameters, "exit", false);
  if (exits && parameters.contains("units")) throw RequestError("parameters 'exit' and 'units': give only one of them");
  return exits;
}

bool InferRequest::is_binary(const RequestedOutput* output) const {
  const bool all = flag(parameters, "binary_data_output", false);
  return output ? flag(output->parameters, "binary_data", all) : all;
}

InferRequest parse_infer_request(std::string_view body, std::optional<std::size_t> json_size,
                                 const ParseLimits& limits) {
  if (json_size && *json_size > body.size())
    throw RequestError(fmt::format("Inference-Header-Content-Length {}: must be at most {}, the bytes of the body",
                                   *json_size, body.size()));
  const std::string_view json = body.substr(0, json_size.value_or(body.size()));
  RequestReader reader(limits);
  InferRequest request = reader.read(json);
  read_binary_inputs(request, reader.has_data(), body.substr(json.size()));
  return request;
}

}  // namespace accrete::serve
