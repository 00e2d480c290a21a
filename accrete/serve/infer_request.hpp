#pragma once
// An inference request of the Open Inference Protocol: its JSON, and tensors that follow it in binary.

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

/// An output that the client asks for.
struct RequestedOutput {
  std::string name;
  Parameters parameters = {};
};

struct InferRequest {
  std::string id = {};
  Parameters parameters = {};
  std::vector<Tensor> inputs = {};
  std::vector<Parameters> input_parameters = {};  ///< of each input
  std::vector<RequestedOutput> outputs = {};      ///< empty: all

  /// The parameter "units"; nothing: not given. Throws RequestError unless it is a whole number of at least 1.
  std::optional<std::size_t> units() const;
  /// The parameter "exit": each row stops once its prediction is settled. Throws RequestError unless it is a bool, or
  /// if units are given too.
  bool exits() const;
  /// True if the output is to be sent in binary.
  bool is_binary(const RequestedOutput* output) const;
};

/// Bounds on what a request may make the parser allocate.
struct ParseLimits {
  std::size_t max_rows = 10'000;
};

/// Parses a body. json_size: the length of its JSON, if tensors in binary follow. Throws RequestError with status 400,
/// or 413 for too many rows; the message names the input and the rule.
InferRequest parse_infer_request(std::string_view body, std::optional<std::size_t> json_size,
                                 const ParseLimits& limits);

}  // namespace accrete::serve
