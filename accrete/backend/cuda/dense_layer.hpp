#pragma once
// Products of dense features with weights and with deltas on a GPU, in tiles of 32 by 32 that a warp keeps in
// registers. The next part of a tile's factors is copied to shared memory while a warp multiplies the last one.

#include <cstddef>

#include "accrete/backend/cuda/evaluator_kernels.hpp"

namespace accrete::cuda {

/// EvaluatorState::dense_block_rows: enough blocks of threads for a large GPU, and few enough rows for sums in float.
unsigned dense_block_rows(std::size_t rows, std::size_t dense, std::size_t width);
inline std::size_t dense_blocks(const EvaluatorState& s) {
  return (s.rows + s.dense_block_rows - 1) / s.dense_block_rows;
}

/// Writes the weighted sums of the dense features to EvaluatorState::hidden. No dense features: does nothing.
void multiply_dense(const EvaluatorState& state);
/// Writes the gradient of the dense weights: dense features x width.
void add_dense_gradient(const EvaluatorState& state, double* sums);

}  // namespace accrete::cuda
