#pragma once
// An inference request of the Open Inference Protocol: its JSON and the binary tensors after it.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "accrete/serve/tensor.hpp"

namespace accrete::serve {

using Parameter = std::variant<bool, std::int64_t, double, std::string>;
using Parameters = std::map<std::string, Parameter>;

/// An output requested by the client.
struct RequestedOutput {
  std::string name;
  Parameters parameters = {};
};

struct InferRequest {
  std::string id = {};
  Parameters parameters = {};
  std::vector<Tensor> inputs = {};
  std::vector<Parameters> input_parameters = {};  ///< one entry per input
  std::vector<RequestedOutput> outputs = {};      ///< empty: all

  /// The parameter "units", or unset. Throws RequestError unless it is a whole number of at least 1.
  std::optional<std::size_t> units() const;
  /// The parameter "exit": each row stops once its prediction is settled. Throws RequestError unless it is a bool, or
  /// if units are given as well.
  bool exits() const;
  /// True if the output is to be sent in binary form.
  bool is_binary(const RequestedOutput* output) const;
};

/// Limits on what a request can make the parser allocate.
struct ParseLimits {
  std::size_t max_rows = 10'000;
};

/// Parses a body. json_size: length of its JSON if binary tensors follow. Throws RequestError with status 400, or 413
/// for too many rows; the message names the input and the rule.
InferRequest parse_infer_request(std::string_view body, std::optional<std::size_t> json_size,
                                 const ParseLimits& limits);

}  // namespace accrete::serve
