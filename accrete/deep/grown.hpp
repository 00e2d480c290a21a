#pragma once
// A grown network as TorchScript: rows of numbers in, predictions out, any first part of its units on call.

#include <torch/script.h>

#include "accrete/model/model.hpp"

namespace accrete::deep {

/// forward(features, units: Optional[int] = None) -> N x (classes, or targets), float32: what model::predict gives for
/// rows of the model's inputs, in their order (examples.hpp). None and 0 are all units; else as
/// model::Model::steps_for, raising where that throws. Throws UsageError for a model that was not grown.
torch::jit::Module grown_module(const model::Model& model);

}  // namespace accrete::deep
