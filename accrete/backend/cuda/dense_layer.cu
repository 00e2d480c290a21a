#include "accrete/backend/cuda/dense_layer.hpp"

#include <algorithm>

#include "accrete/backend/cuda/copy_async.cuh"
#include "accrete/backend/cuda/evaluator-inl.cuh"

namespace accrete::cuda {
namespace {

constexpr unsigned warps = 4, lanes = warp_lanes, threads = warps * lanes;
constexpr unsigned tile = 32;            ///< rows or features, and units, of a warp's tile of products
constexpr unsigned depth = 16;           ///< terms of a sum for which the factors are in shared memory
constexpr unsigned resident_blocks = 5;  ///< on a multiprocessor: limits the registers
constexpr unsigned lane_sums = tile * tile / lanes / quad;  ///< of four units each
constexpr unsigned max_sum_rows = 1024;                     ///< that a warp adds in float
constexpr std::size_t min_blocks = 1024;                    ///< that keep a large GPU busy

/// The factors of part of a tile: features, and weights or deltas.
struct alignas(16) Factors {
  static constexpr unsigned stride = depth + quad;  ///< of features in the gradient: avoids bank conflicts
  float features[tile * stride];
  float units[depth * tile];
};

/// Features x rows. The rows are in one tile of the stored columns.
template <unsigned features, unsigned rows, unsigned stride>
__device__ void copy_features(const EvaluatorState& s, unsigned first_feature, unsigned first_row, float* to) {
  const float* column = s.columns + tile_offset(s, first_row, s.stored_columns);
#pragma unroll
  for (unsigned i = lane(); i < features * rows / quad; i += lanes) {
    const unsigned f = i / (rows / quad), r = i % (rows / quad) * quad;
    const bool exists = first_feature + f < s.dense;
    const float* from = exists ? column + s.dense_columns[first_feature + f] * s.tile_rows + r : column;
    copy_async(to + f * stride + r, from, exists ? quad : 0);
  }
}

/// Rows first .. first + depth - 1 of a matrix of `end` rows and s.width units.
__device__ void copy_units(const EvaluatorState& s, const float* matrix, unsigned first, unsigned end,
                           unsigned first_unit, float* to) {
#pragma unroll
  for (unsigned i = lane(); i < depth * tile / quad; i += lanes) {
    const unsigned row = first + i / (tile / quad), unit = first_unit + i % (tile / quad) * quad;
    const bool exists = row < end && unit < s.width;
    copy_async(to + i * quad, exists ? matrix + std::size_t(row) * s.width + unit : matrix, exists ? quad : 0);
  }
}

/// Calls copy(i, factors) and, when that copy has ended, multiply(factors) for all i < count.
template <class Copy, class Multiply>
__device__ void for_each_part(unsigned count, Factors (&buffers)[2], Copy copy, Multiply multiply) {
  if (count > 0) copy(0, buffers[0]);
  commit_copies();
  for (unsigned i = 0; i < count; ++i) {
    if (i + 1 < count) copy(i + 1, buffers[(i + 1) % 2]);
    commit_copies();
    wait_for_copies<1>();
    __syncwarp();
    multiply(buffers[i % 2]);
    __syncwarp();
  }
}

/// A warp sums 32 rows for 32 units; a lane two times four rows for four units.
__global__ void __launch_bounds__(threads, resident_blocks) multiply_kernel(const __grid_constant__ EvaluatorState s) {
  __shared__ Factors buffers[warps][2];
  const unsigned first_row = (blockIdx.x * warps + warp()) * tile, first_unit = blockIdx.y * tile;
  if (first_row >= s.rows) return;
  const unsigned row = lane() / (tile / quad) * quad, unit = lane() % (tile / quad) * quad;
  float4 sums[lane_sums] = {};
  for_each_part((s.dense + depth - 1) / depth, buffers[warp()],
                [&](unsigned i, Factors& to) {
                  copy_features<depth, tile, tile>(s, i * depth, first_row, to.features);
                  copy_units(s, s.dense_weights, i * depth, s.dense, first_unit, to.units);
                },
                [&](const Factors& from) {
#pragma unroll
                  for (unsigned f = 0; f < depth; ++f) {
                    const float4 w = quad_at(from.units + f * tile + unit);
#pragma unroll
                    for (unsigned half = 0; half < 2; ++half) {
                      const float4 x = quad_at(from.features + f * tile + half * (tile / 2) + row);
                      float4* sum = sums + half * quad;
                      add_scaled(sum[0], x.x, w), add_scaled(sum[1], x.y, w), add_scaled(sum[2], x.z, w);
                      add_scaled(sum[3], x.w, w);
                    }
                  }
                });
  if (first_unit + unit >= s.width) return;
#pragma unroll
  for (unsigned i = 0; i < lane_sums; ++i) {
    const unsigned r = first_row + i / quad * (tile / 2) + row + i % quad;
    if (r < s.rows) *reinterpret_cast<float4*>(s.hidden + hidden_at(s, r, first_unit + unit)) = sums[i];
  }
}

/// The warps of a block sum over consecutive rows for 32 features and 32 units; a lane for every fourth feature and
/// four units.
__global__ void __launch_bounds__(threads, resident_blocks) gradient_kernel(const __grid_constant__ EvaluatorState s) {
  __shared__ Factors buffers[warps][2];
  const unsigned first_feature = blockIdx.y * tile, first_unit = blockIdx.z * tile;
  const unsigned warp_rows = s.dense_block_rows / warps, begin = blockIdx.x * s.dense_block_rows + warp() * warp_rows;
  const unsigned end = min(s.rows, begin + warp_rows);
  const unsigned feature = lane() / (tile / quad), unit = lane() % (tile / quad) * quad;
  float4 sums[lane_sums] = {};
  for_each_part(
      begin < end ? (end - begin + depth - 1) / depth : 0, buffers[warp()],
      [&](unsigned i, Factors& to) {
        copy_features<tile, depth, Factors::stride>(s, first_feature, begin + i * depth, to.features);
        copy_units(s, s.deltas, begin + i * depth, end, first_unit, to.units);
      },
      [&](const Factors& from) {
#pragma unroll
        for (unsigned r = 0; r < depth; r += quad) {
          const float* deltas = from.units + r * tile + unit;
          const float4 d0 = quad_at(deltas), d1 = quad_at(deltas + tile);
          const float4 d2 = quad_at(deltas + 2 * tile), d3 = quad_at(deltas + 3 * tile);
#pragma unroll
          for (unsigned i = 0; i < lane_sums; ++i) {
            const float4 x = quad_at(from.features + (feature + quad * i) * Factors::stride + r);
            add_scaled(sums[i], x.x, d0), add_scaled(sums[i], x.y, d1), add_scaled(sums[i], x.z, d2);
            add_scaled(sums[i], x.w, d3);
          }
        }
      });
  static_assert(sizeof(buffers) >= warps * tile * tile * sizeof(float));
  __syncthreads();
  float* warp_sums = reinterpret_cast<float*>(buffers);
#pragma unroll
  for (unsigned i = 0; i < lane_sums; ++i)
    *reinterpret_cast<float4*>(warp_sums + (warp() * tile + feature + quad * i) * tile + unit) = sums[i];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < tile * tile; i += threads) {
    const unsigned f = first_feature + i / tile, u = first_unit + i % tile;
    float sum = 0.0f;
    for (unsigned w = 0; w < warps; ++w) sum += warp_sums[w * tile * tile + i];
    if (f < s.dense && u < s.width) s.dense_partials[(std::size_t(blockIdx.x) * s.dense + f) * s.width + u] = sum;
  }
}

constexpr std::size_t tiles_of(std::size_t count) {
  return (count + tile - 1) / tile;
}

}  // namespace

unsigned dense_block_rows(std::size_t rows, std::size_t dense, std::size_t width) {
  const std::size_t tiles = std::max<std::size_t>(tiles_of(dense) * tiles_of(width), 1);
  const std::size_t blocks = min_blocks / tiles + 1;
  return static_cast<unsigned>(
      std::clamp<std::size_t>(pad_to(warps * depth, rows / blocks), warps * depth, warps * max_sum_rows));
}

void multiply_dense(const EvaluatorState& s) {
  if (s.rows == 0 || s.dense == 0) return;
  const dim3 blocks(unsigned((tiles_of(s.rows) + warps - 1) / warps), unsigned(tiles_of(s.width)));
  multiply_kernel<<<blocks, threads>>>(s);
  check_launch();
}

void add_dense_gradient(const EvaluatorState& s, double* sums) {
  if (s.rows == 0 || s.dense == 0) return;
  const dim3 blocks(unsigned(dense_blocks(s)), unsigned(tiles_of(s.dense)), unsigned(tiles_of(s.width)));
  gradient_kernel<<<blocks, threads>>>(s);
  check_launch();
  add_partial_rows(s.dense_partials, std::size_t(s.dense) * s.width, blocks.x, s.dense * s.width, sums);
}

}  // namespace accrete::cuda
