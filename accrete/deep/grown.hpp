#pragma once
// A grown network as TorchScript: rows of numbers to predictions, with any prefix of its units.

#include <torch/script.h>

#include "accrete/model/model.hpp"

namespace accrete::deep {

/// forward(features, units: Optional[int] = None) -> N x (classes, or targets), float32: the result of model::predict
/// for rows of the model's inputs, in their order (dataset.hpp). None and 0 mean all units; other values are rounded
/// as in model::Model::steps_for, and raise where it throws. Throws UsageError for a model that was not grown.
torch::jit::Module grown_module(const model::Model& model);

}  // namespace accrete::deep
