#pragma once
// Kernels of device_evaluator.hpp: one evaluation of a block, except the products of dense features (dense_layer.hpp)
// and the sums of table entries (entry_rows.hpp).
//
//   compute_hidden   adds table entries and bias to the sums of dense_layer.hpp; applies the activation
//   compute_deltas   outputs, loss, errors by the outputs and deltas by the hidden sums of every row
//   add_products     sums over rows of products of columns, for the bias and the output layer
//
// Every sum is over a fixed order of rows, so the same GPU always gives the same bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include "accrete/core/inline.hpp"
#include "accrete/loss/formula.hpp"

namespace accrete::cuda {

/// A matrix with a row per training row. If quad_stride is not 0, four columns of a row are contiguous, and columns are
/// padded to fours.
struct Columns {
  const float* values = nullptr;
  unsigned count = 0;
  unsigned row_stride = 0, quad_stride = 0;     ///< in floats: to the next row, and to the next four columns
  unsigned column_stride = 0, tile_stride = 0;  ///< else: to the next column, and to the next tile, if there are tiles
  bool with_ones = false;                       ///< one more column, of ones
};

/// The training rows, the block and the values of an evaluation, in device memory. `width` is the units padded to four.
struct EvaluatorState {
  unsigned rows, block_rows, tile_rows, tables, dense, units, width, outputs, target_columns, stored_columns;
  unsigned dense_block_rows;  ///< rows that a block of threads sums over in the gradient of the dense weights
  unsigned activation, loss;  ///< indices into activation::All and loss::All
  bool squared_error;         ///< fit the targets by squared error; the loss and the scores are not used
  loss::LossSettings settings;
  // rows; the first four tile by tile
  const std::uint16_t* entries;   ///< per table
  const float* targets;           ///< target_columns
  const float* scores;            ///< per output
  const float* weights;           ///< one column
  const float* columns;           ///< stored_columns, also tile by tile
  const unsigned* table_offsets;  ///< of each table in table_values, in floats
  const unsigned* dense_columns;  ///< the stored column of each dense feature
  // block
  const float* table_values;    ///< entries x width for each table
  const float* dense_weights;   ///< dense features x width
  const float* hidden_bias;     ///< width
  const float* output_weights;  ///< outputs x width
  const float* output_bias;     ///< outputs
  // values
  float* hidden;      ///< width / 4 x rows x 4: activations
  float* deltas;      ///< rows x width
  float* new_scores;  ///< tile by tile, per output: with the block
  float* errors;      ///< tile by tile, per output
  double* partials;   ///< sums over the rows of each block of threads: row_blocks(rows) x partial_count
  unsigned partial_count;
  float* dense_partials;  ///< sums over dense_block_rows rows each: blocks x dense features x width
};

/// A block of threads sums over this many rows: few blocks, so that adding their sums takes little time.
constexpr unsigned block_threads = 256, max_row_blocks = 512;
inline unsigned rows_per_block(std::size_t rows) {
  return static_cast<unsigned>(rows / (max_row_blocks * block_threads) + 1) * block_threads;
}
inline unsigned row_blocks(std::size_t rows) {
  return static_cast<unsigned>(rows / rows_per_block(rows) + 1);
}

/// Sums over rows of left(row, p) * right(row, q), and of the row's weight if weighted, for all p and q; written to
/// EvaluatorState::partials from `at` on, q fastest.
struct Products {
  Columns left = {}, right = {};
  bool weighted = false;
  unsigned at = 0;

  ACCRETE_HOST_DEVICE unsigned rows() const { return left.count + left.with_ones; }
  ACCRETE_HOST_DEVICE unsigned columns() const { return right.count + right.with_ones; }
  unsigned end() const { return at + rows() * columns(); }
};

// A rank may have no rows; then these do nothing.
void compute_hidden(const EvaluatorState& state);
/// Writes the sum of the weighted losses to partial 0.
void compute_deltas(const EvaluatorState& state);
/// At most two.
void add_products(const EvaluatorState& state, std::span<const Products> products);
/// Adds the first `count` partials of all blocks of threads.
void add_partials(const EvaluatorState& state, unsigned count, double* sums);

}  // namespace accrete::cuda
