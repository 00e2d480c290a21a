#pragma once
// One evaluation over one tile of rows: forward, error, backward, while the tile stays in the first-level cache.
// Compiled once per instruction set; the best one the processor has is chosen at run time.

#include <cstddef>

#include "accrete/loss/formula.hpp"

namespace accrete::backend {

/// The block being fitted, in float, each layer laid out for the product that reads it.
struct TileBlock {
  std::size_t features, units, outputs, tile_rows;
  std::size_t activation, loss;  ///< indices into their lists
  loss::Settings settings;
  const std::size_t* feature;   ///< which columns of the tile
  const float* hidden_weights;  ///< units x features
  const float* hidden_bias;     ///< units
  const float* output_weights;  ///< outputs x units
  const float* back_weights;    ///< units x outputs: the same, transposed
  const float* output_bias;     ///< outputs
  const float* ones;            ///< tile_rows
  const float* zeros;           ///< units
};

/// The rows of one tile. targets: one row of tile_rows per output (per target column); base: outputs x tile_rows
/// scores the block is added to, or null for none; rows past the last have weight 0.
struct TileRows {
  const float* x;
  const float* targets;
  const float* base;
  const float* weights;
};

/// Room for one thread, and the sums it is building. Sums are kept per vector lane, 16 to a number.
struct TileScratch {
  float* hidden;         ///< units x tile_rows
  float* out;            ///< outputs x tile_rows
  float* errors;         ///< outputs x tile_rows
  float* delta;          ///< units x tile_rows
  float* values;         ///< tile_rows
  const float** inputs;  ///< max(features, units, outputs) + 1
  float* hidden_sums;    ///< (features + 1) x units x 16; the last input is the bias
  float* output_sums;    ///< (units + 1) x outputs x 16
  double* wide;          ///< 2 (units + 1 + outputs) x tile_rows, for project_tile
  double value;          ///< sum of weighted losses
};

/// Value and both layers' gradients.
void evaluate_tile(const TileBlock& block, const TileRows& rows, TileScratch& scratch);

/// Hidden outputs into scratch.hidden, and their weighted products with each other, with 1 and with the targets, in
/// double: gram is (units + 1) x (units + 1 + outputs), upper triangle of the square part only, added to.
void project_tile(const TileBlock& block, const TileRows& rows, TileScratch& scratch, double* gram);

/// The second half, from scratch.hidden as project_tile left it: value and the hidden layer's gradient.
void evaluate_projected_tile(const TileBlock& block, const TileRows& rows, TileScratch& scratch);

/// Derivative and curvature of the block's loss at base: outputs x tile_rows each; values per row (not weighted).
/// Null pointers are skipped.
void loss_tile(const TileBlock& block, const TileRows& rows, float* value, float* derivative, float* curvature);

}  // namespace accrete::backend
