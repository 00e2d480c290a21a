#pragma once
// What evaluator_kernels.cu and entry_rows.cu share.

#include "accrete/backend/cuda/evaluator_kernels.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/backend/cuda/warp_vectors.cuh"

namespace accrete::cuda {

__device__ inline const float4& quad_at(const float* values) {
  return *reinterpret_cast<const float4*>(values);
}
/// Offset of a row's first column in a matrix that is stored tile by tile.
__device__ inline std::size_t tile_offset(const EvaluatorState& s, unsigned row, unsigned columns) {
  return std::size_t(row / s.tile_rows) * columns * s.tile_rows + row % s.tile_rows;
}

inline unsigned blocks_for(std::size_t items) {
  return static_cast<unsigned>((items + block_threads - 1) / block_threads);
}

inline void check_launch() {
  check(cudaGetLastError(), "start a kernel");
}

}  // namespace accrete::cuda
