#pragma once
// Evaluates steps on the GPU whose columns are looked up by code (network/lookup.hpp), and steps of several ranks, each
// on its own rows. The host computes the tables from the weights and the gradient of the weights from the sums of table
// entries, and adds the sums of the ranks; the GPU does all work per row. Views that it does not support are evaluated
// on the CPU.

#include <memory>

#include "accrete/backend/block_evaluator.hpp"

namespace accrete::cuda {

std::unique_ptr<backend::BlockEvaluator> make_device_evaluator();

}  // namespace accrete::cuda
