#pragma once
// Kernels that run once per boosting step, tile by tile: adding a block to the scores, loss and residuals at the
// scores, and the sums of the Newton step. Compiled once per instruction set and dispatched at run time.

#include <cstddef>

#include "accrete/backend/kernels/evaluate_kernel.hpp"

namespace accrete::backend {

/// The loss and the shape of a tile.
struct TileLoss {
  std::size_t loss;  ///< index into loss::All
  loss::LossSettings settings;
  std::size_t outputs, tile_rows;
};

/// sums += h (unless h is null), then scores = sums + bias, rounded to float. All arrays are outputs x tile_rows.
void update_scores(const TileLoss& loss, const float* h, const double* bias, double* sums, float* scores);

/// Weighted sums over rows: of the loss, and of the squared residuals of all outputs.
struct ScoreSums {
  double loss = 0.0, squares = 0.0;

  ScoreSums& operator+=(const ScoreSums& more) {
    loss += more.loss, squares += more.squares;
    return *this;
  }
};

/// The loss at rows.scores, and residuals = scale * derivative of the loss there. values: scratch of tile_rows floats.
ScoreSums loss_and_residuals(const TileLoss& loss, const TileRows& rows, float scale, float* residuals, float* values);

/// Weighted sum of the loss at rows.scores + h + bias. scratch: (outputs + 1) x tile_rows floats.
double loss_after_block(const TileLoss& loss, const TileRows& rows, const float* h, const double* bias, float* scratch);

/// Weighted sum of one value per row of a tile.
double sum_weighted(const float* values, const float* weights, std::size_t rows);

/// The outputs of a block on a tile and the residuals it was fitted to.
struct TileStep {
  const float* h;  ///< outputs x tile_rows, without the bias
  const double* bias;
  const float* residuals;
  float scale;  ///< scale * residual is the derivative of the loss
};

/// sums: 3 x outputs. With h the block's outputs including its bias and r = -L', adds sum w r_k h_k to sums[0, k] and
/// sum w L''_k h_k^2 to sums[1, k]; sums[2, k] becomes the maximum of its value and |h_k| over rows of positive weight.
/// scratch: 2 x outputs x tile_rows floats.
void add_newton_sums(const TileLoss& loss, const TileRows& rows, const TileStep& step, float* scratch, double* sums);

}  // namespace accrete::backend
