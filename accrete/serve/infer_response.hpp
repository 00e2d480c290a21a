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
  std::string id;                         ///< as in the request; empty: none
  std::size_t units = 0;                  ///< units used; with early exit, by rows that did not stop
  std::optional<double> mean_units = {};  ///< per row, with early exit
  std::vector<OutputTensor> outputs;
};

struct RenderedResponse {
  std::string body;
  std::optional<std::size_t> json_size;  ///< length of the JSON if binary tensors follow
};

/// Renders a reply. Numbers have the fewest digits that round-trip, as in the command's output.
RenderedResponse render(const InferResponse& response);

/// {"error": "..."}
std::string error_json(std::string_view message);

/// The text as a quoted JSON string. Replaces invalid UTF-8.
std::string json_text(std::string_view text);

}  // namespace accrete::serve
