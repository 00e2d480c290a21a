#pragma once
// The reply to an inference request.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/serve/outputs.hpp"

namespace accrete::serve {

struct InferResponse {
  std::string model_name, model_version;
  std::string id;                         ///< of the request; empty: none
  std::size_t units = 0;                  ///< that were used, with early exit by rows that did not stop
  std::optional<double> mean_units = {};  ///< of the rows, with early exit
  std::vector<OutputTensor> outputs;
};

struct RenderedResponse {
  std::string body;
  std::optional<std::size_t> json_size;  ///< of the JSON, if tensors in binary follow it
};

/// Numbers are written with the fewest digits that round-trip, as the command writes them.
RenderedResponse render(const InferResponse& response);

/// {"error": "..."}
std::string error_json(std::string_view message);

/// The text as a JSON string, in quotes. Invalid UTF-8 is replaced.
std::string json_text(std::string_view text);

}  // namespace accrete::serve
