#include "accrete/backend/cuda/evaluator_kernels.hpp"

#include <algorithm>
#include <cub/block/block_reduce.cuh>

#include "accrete/backend/cuda/dense_layer.hpp"
#include "accrete/backend/cuda/dispatch.cuh"
#include "accrete/backend/cuda/evaluator-inl.cuh"

namespace accrete::cuda {
namespace {

constexpr unsigned threads = block_threads, lanes = warp_lanes;
constexpr unsigned max_products = 2;  ///< of one launch

__device__ void add_to(float4& sum, const float4& x) {
  sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
}
/// One thread per row and four units.
__global__ void hidden_kernel(const __grid_constant__ EvaluatorState s) {
  const unsigned quads = s.width / quad;
  const std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  const unsigned row = static_cast<unsigned>(i / quads), first = static_cast<unsigned>(i % quads) * quad;
  if (row >= s.rows) return;
  float4 sum = quad_at(s.hidden_bias + first);
  const std::uint16_t* entries = s.entries + tile_offset(s, row, s.tables);
#pragma unroll 4
  for (unsigned t = 0; t < s.tables; ++t)
    add_to(sum, quad_at(s.table_values + s.table_offsets[t] + entries[t * s.tile_rows] * s.width + first));
  if (s.dense > 0) add_to(sum, quad_at(s.hidden + hidden_at(s, row, first)));
  visit_activation(s.activation, [&](auto formula) {
    using Formula = decltype(formula);
    sum = {Formula::value(sum.x), Formula::value(sum.y), Formula::value(sum.z), Formula::value(sum.w)};
  });
  *reinterpret_cast<float4*>(s.hidden + hidden_at(s, row, first)) = sum;
}

__device__ float output(const EvaluatorState& s, unsigned row, unsigned k) {
  float sum = s.output_bias[k];
  for (unsigned first = 0; first < s.width; first += quad) {
    const float4 a = quad_at(s.hidden + hidden_at(s, row, first)), w = quad_at(s.output_weights + k * s.width + first);
    sum += (a.x * w.x + a.y * w.y) + (a.z * w.z + a.w * w.w);
  }
  return sum;
}

/// Writes the errors of a row; returns its weighted loss.
__device__ float row_errors(const EvaluatorState& s, unsigned row) {
  const std::size_t at = tile_offset(s, row, s.outputs), stride = s.tile_rows;
  const float* targets = s.targets + tile_offset(s, row, s.target_columns);
  const float weight = s.weights[row];  // one column: tiles follow each other
  float value = 0.0f;
  if (s.squared_error) {
    for (unsigned k = 0; k < s.outputs; ++k) {
      const float error = output(s, row, k) - targets[k * stride];
      value += 0.5f * error * error;
      s.errors[at + k * stride] = weight * error;
    }
    return weight * value;
  }
  for (unsigned k = 0; k < s.outputs; ++k)
    s.new_scores[at + k * stride] = output(s, row, k) + s.scores[at + k * stride];
  const loss::LossRows<float> rows{1, stride, s.outputs, targets, s.new_scores + at, s.settings};
  AnyLoss::visit(s.loss, [&](auto l) { decltype(l)::values_and_derivatives(rows, &value, s.errors + at); });
  for (unsigned k = 0; k < s.outputs; ++k) s.errors[at + k * stride] *= weight;
  return weight * value;
}

/// Writes the deltas of a row; reads its errors.
__device__ void row_deltas(const EvaluatorState& s, unsigned row) {
  const float* errors = s.errors + tile_offset(s, row, s.outputs);
  for (unsigned first = 0; first < s.width; first += quad) {
    float4 delta = {};
    for (unsigned k = 0; k < s.outputs; ++k)
      add_scaled(delta, errors[k * s.tile_rows], quad_at(s.output_weights + k * s.width + first));
    const float4 a = quad_at(s.hidden + hidden_at(s, row, first));
    visit_activation(s.activation, [&](auto formula) {
      using Formula = decltype(formula);
      delta.x *= Formula::slope(a.x), delta.y *= Formula::slope(a.y);
      delta.z *= Formula::slope(a.z), delta.w *= Formula::slope(a.w);
    });
    *reinterpret_cast<float4*>(s.deltas + std::size_t(row) * s.width + first) = delta;
  }
}

struct BlockRows {
  unsigned first, end;
};
__device__ BlockRows rows_of_block(const EvaluatorState& s) {
  const unsigned first = blockIdx.x * s.block_rows;
  return {first, min(s.rows, first + s.block_rows)};
}

/// One thread per row, for the rows of a block.
__global__ void deltas_kernel(const __grid_constant__ EvaluatorState s) {
  const BlockRows rows = rows_of_block(s);
  double value = 0.0;
  for (unsigned row = rows.first + threadIdx.x; row < rows.end; row += threads) {
    value += double(row_errors(s, row));
    row_deltas(s, row);
  }
  using Reduce = cub::BlockReduce<double, threads>;
  __shared__ typename Reduce::TempStorage storage;
  value = Reduce(storage).Sum(value);
  if (threadIdx.x == 0) s.partials[std::size_t(blockIdx.x) * s.partial_count] = value;
}

struct ProductList {
  Products list[max_products];
};

/// Four columns of a row from `first` on; those beyond the last have any value.
__device__ __forceinline__ void load_quad(const Columns& c, unsigned tile_rows, unsigned row, unsigned first,
                                          float (&x)[quad]) {
  if (first < c.count && c.quad_stride > 0) {
    const float4 four = quad_at(c.values + std::size_t(first / quad) * c.quad_stride + std::size_t(row) * c.row_stride);
    x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
  } else if (first < c.count) {
    const float* from =
        c.values + (c.tile_stride > 0 ? std::size_t(row / tile_rows) * c.tile_stride + row % tile_rows : row);
#pragma unroll
    for (unsigned u = 0; u < quad; ++u) x[u] = from[std::size_t(min(first + u, c.count - 1)) * c.column_stride];
  }
#pragma unroll
  for (unsigned u = 0; u < quad; ++u)
    if (first + u == c.count) x[u] = 1.0f;
}

/// Sums over the rows of a block, four by four products at a time: a warp takes such a tile, and each lane every 32nd
/// row.
__device__ void add_product_tile(const EvaluatorState& s, const Products& p, unsigned first_row,
                                 unsigned first_column) {
  const BlockRows rows = rows_of_block(s);
  float sums[quad * quad] = {};
#pragma unroll 2
  for (unsigned row = rows.first + lane(); row < rows.end; row += lanes) {
    float left[quad] = {}, right[quad] = {};
    load_quad(p.left, s.tile_rows, row, first_row, left);
    load_quad(p.right, s.tile_rows, row, first_column, right);
    const float weight = p.weighted ? s.weights[row] : 1.0f;
#pragma unroll
    for (unsigned i = 0; i < quad * quad; ++i) sums[i] += weight * left[i / quad] * right[i % quad];
  }
  double totals[quad * quad];
#pragma unroll
  for (unsigned i = 0; i < quad * quad; ++i) totals[i] = double(sums[i]);
  const double total = warp_sums<quad * quad>(totals);
  const unsigned to_row = first_row + lane() / quad, to_column = first_column + lane() % quad;
  if (lane() < quad * quad && to_row < p.rows() && to_column < p.columns())
    s.partials[std::size_t(blockIdx.x) * s.partial_count + p.at + to_row * p.columns() + to_column] = total;
}

__global__ void products_kernel(const __grid_constant__ EvaluatorState s,
                                const __grid_constant__ ProductList products) {
  unsigned tile = 0;
  for (const Products& p : products.list)
    for (unsigned row = 0; row < p.rows(); row += quad)
      for (unsigned column = 0; column < p.columns(); column += quad)
        if (tile++ % (threads / lanes) == warp()) add_product_tile(s, p, row, column);
}

}  // namespace

void compute_hidden(const EvaluatorState& s) {
  if (s.rows == 0) return;
  multiply_dense(s);
  hidden_kernel<<<blocks_for(std::size_t(s.rows) * (s.width / quad)), threads>>>(s);
  check_launch();
}

void compute_deltas(const EvaluatorState& s) {
  if (s.rows == 0) return;
  deltas_kernel<<<row_blocks(s.rows), threads>>>(s);
  check_launch();
}

void add_products(const EvaluatorState& s, std::span<const Products> products) {
  if (s.rows == 0) return;
  ProductList list{};
  std::ranges::copy(products, list.list);
  products_kernel<<<row_blocks(s.rows), threads>>>(s, list);
  check_launch();
}

void add_partials(const EvaluatorState& s, unsigned count, double* sums) {
  if (s.rows == 0) return;
  add_partial_rows(s.partials, s.partial_count, row_blocks(s.rows), count, sums);
}

}  // namespace accrete::cuda
