#pragma once
// What happens once per step, tile by tile: scores moved on by a block, the loss there, the residuals to fit next and
// the sums of the Newton step. Compiled once per instruction set, like the evaluation.

#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"

namespace accrete::backend {

/// The loss as a kernel sees it.
struct TileLoss {
  std::size_t loss;  ///< index into the list
  loss::Settings settings;
  std::size_t outputs, tile_rows;
};

/// sums += h, then base = sums + bias, rounded: outputs x tile_rows each; h null: base alone.
void move_scores(const TileLoss& loss, const float* h, const double* bias, double* sums, float* base);

/// Weighted sums over a tile's rows.
struct ScoreSums {
  double loss = 0.0, squares = 0.0;  ///< squares of the residuals

  ScoreSums& operator+=(const ScoreSums& more) {
    loss += more.loss, squares += more.squares;
    return *this;
  }
};

/// The loss at rows.base and residuals = scale * derivative there, whose formulas share their work. values is room for
/// tile_rows floats.
ScoreSums loss_and_residuals(const TileLoss& loss, const TileRows& rows, float scale, float* residuals, float* values);

/// Weighted sum of the loss with h + bias added to rows.base; room: (outputs + 1) x tile_rows floats.
double loss_sum_with(const TileLoss& loss, const TileRows& rows, const float* h, const double* bias, float* room);

/// Weighted sum of the values of a tile's rows.
double weighted_total(const float* values, const float* weights, std::size_t rows);

/// A block's values in a tile, without its bias, and the residuals there.
struct TileStep {
  const float* h;
  const double* bias;
  const float* residuals;
  float scale;  ///< residuals times this are the derivatives
};

/// Adds to sums, per output k: sum w r_k h_k, and then, outputs further on, sum w L''_k h_k^2, where h = values of the
/// block + bias and r = -L'. Raises what lies as far on again to the largest abs(h_k) of a row with weight. room: 2
/// outputs x tile_rows floats.
void newton_sums(const TileLoss& loss, const TileRows& rows, const TileStep& step, float* room, double* sums);

}  // namespace accrete::backend
