#pragma once
// The Gauss-Newton matrix of the projected objective with respect to the hidden layer, with the output layer always at
// its optimum (Kaufman's approximation of variable projection). With a_j the hidden outputs, V the output weights, W
// the row weights and
//
//   A = [a, 1]     Z = [slope_j x_i, slope_j]     S = Z'WZ - Z'WA (A'WA + penalty)^-1 A'WZ
//
// the matrix is S[p, q] (V V')[unit of p, unit of q]. S, the Schur complement of the output layer, is the same for all
// outputs. It follows from the products of all pairs of columns of [A, Z].

#include <cstddef>
#include <span>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/backend/rows.hpp"

namespace accrete::backend {

/// Number of columns of [A, Z]; the columns of Z are in the order of the hidden parameters.
constexpr std::size_t curvature_columns(const BlockShape& shape) {
  return shape.units + 1 + shape.hidden_size();
}

/// products: the upper triangle of [A, Z]' W [A, Z] with W divided by its sum; overwritten. output_layer: V, units x
/// outputs. matrix: hidden_size() x hidden_size(), of which the upper triangle is written.
void gauss_newton(const BlockShape& shape, std::span<double> products, std::span<const double> output_layer,
                  double alpha_over_n, std::span<double> matrix);

/// One tile of rows with its hidden outputs.
struct CurvatureTile {
  const float* x;
  const float* hidden;   ///< units x tile_rows
  const float* weights;  ///< 0 in the padding
  std::size_t rows;      ///< a multiple of line_floats
};

/// The shape of a step, and scratch for the columns of a tile.
struct CurvatureScratch {
  std::span<const data::FeatureSource> features;
  BlockShape shape;
  std::size_t tile_rows, activation;
  float* columns;        ///< curvature_columns x tile_rows
  float* ramps;          ///< tile_rows per ramp among the features
  const float** inputs;  ///< features
};

/// Adds the products of a tile, with unnormalised W, to the upper triangle.
void add_curvature_products(const CurvatureScratch& scratch, const CurvatureTile& tile, double* products);

}  // namespace accrete::backend
