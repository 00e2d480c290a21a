#pragma once
// What evaluator_kernels.cu, dense_layer.cu and entry_rows.cu share.

#include "accrete/backend/cuda/evaluator_kernels.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/backend/cuda/warp_vectors.cuh"

namespace accrete::cuda {

__device__ inline const float4& quad_at(const float* values) {
  return *reinterpret_cast<const float4*>(values);
}
__device__ inline void add_scaled(float4& sum, float scale, const float4& x) {
  sum.x += scale * x.x, sum.y += scale * x.y, sum.z += scale * x.z, sum.w += scale * x.w;
}
/// Offset of four units of a row in EvaluatorState::hidden.
__device__ inline std::size_t hidden_at(const EvaluatorState& s, unsigned row, unsigned first) {
  return std::size_t(first) * s.rows + std::size_t(row) * quad;
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

constexpr unsigned partial_threads = 1024;

/// Adds `blocks` rows of `count` partials. Each warp adds every 32nd row of 32 columns.
template <class Partial>
__global__ void partials_kernel(const Partial* partials, std::size_t stride, unsigned blocks, unsigned count,
                                double* sums) {
  __shared__ double warp_sums[partial_threads / warp_lanes][warp_lanes];
  const unsigned i = blockIdx.x * warp_lanes + lane();
  double sum = 0.0;
  if (i < count)
#pragma unroll 4
    for (unsigned b = warp(); b < blocks; b += partial_threads / warp_lanes) sum += double(partials[b * stride + i]);
  warp_sums[warp()][lane()] = sum;
  __syncthreads();
  if (warp() > 0 || i >= count) return;
  for (unsigned w = 1; w < partial_threads / warp_lanes; ++w) sum += warp_sums[w][lane()];
  sums[i] = sum;
}

template <class Partial>
void add_partial_rows(const Partial* partials, std::size_t stride, unsigned blocks, unsigned count, double* sums) {
  if (count == 0) return;
  partials_kernel<<<(count + warp_lanes - 1) / warp_lanes, partial_threads>>>(partials, stride, blocks, count, sums);
  check_launch();
}

}  // namespace accrete::cuda
