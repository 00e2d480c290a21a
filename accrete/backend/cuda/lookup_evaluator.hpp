#pragma once
// Evaluates steps whose columns are looked up by code (network/lookup.hpp) on the GPU. The host computes the tables
// from the weights and the gradient of the weights from the sums of table entries; the GPU does all work per row. Views
// that it does not support are evaluated on the CPU.

#include <memory>

#include "accrete/backend/block_evaluator.hpp"

namespace accrete::cuda {

std::unique_ptr<backend::BlockEvaluator> make_lookup_evaluator();

}  // namespace accrete::cuda
