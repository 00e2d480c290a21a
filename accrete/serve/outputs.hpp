#pragma once
// The outputs of a request: labels, probabilities, numbers, intervals and contributions as tensors.

#include <string>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/serve/infer_request.hpp"
#include "accrete/serve/request_rows.hpp"
#include "accrete/serve/served_model.hpp"
#include "accrete/serve/tensor.hpp"

namespace accrete::serve {

/// An output as listed in the model's metadata.
struct OutputDescription {
  std::string name;
  const char* datatype;
  std::vector<long> shape;  ///< -1 stands for rows
};

/// The outputs of a request that names none.
std::vector<OutputDescription> describe_outputs(const model::Model& model);

/// Names of outputs that are sent only if requested by name.
inline constexpr const char* contributions_output = "contributions";
inline constexpr const char* baseline_output = "baseline";

struct OutputTensor {
  std::string name;
  const Datatype* datatype;
  std::vector<std::size_t> shape;
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};  ///< for BYTES
  bool binary = false;
};

/// Throws RequestError for an output that the model does not have, or that is not available with early exit.
void check_outputs(const ServedModel& served, const InferRequest& request);

/// The requested outputs, computed from the predictions with the prefix of `steps` steps.
std::vector<OutputTensor> make_outputs(const ServedModel& served, const InferRequest& request, const RequestRows& rows,
                                       const core::Matrix<double>& predictions, std::size_t steps);

}  // namespace accrete::serve
