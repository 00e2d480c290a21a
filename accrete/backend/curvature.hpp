#pragma once
// The Gauss-Newton matrix of a projected fit: how the squares change with the hidden layer while the output layer
// follows (Kaufman's form of variable projection). With a_j the hidden outputs, V the output layer and
//
//   A = [a, 1]     Z = [slope_j x_i, slope_j]     S = Z'WZ - Z'WA (A'WA + penalty)^-1 A'WZ
//
// it is S[p, q] (V V')[unit of p, unit of q]: S is what the output layer leaves of the products of Z, and the same for
// every output. All of it comes from one matrix of products of the columns [A, Z].

#include <cstddef>
#include <span>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/rows.hpp"

namespace accrete::backend {

/// Columns of [A, Z]: Z in the order of the hidden parameters.
constexpr std::size_t curvature_columns(const BlockShape& shape) {
  return shape.units + 1 + shape.hidden_size();
}

/// products: the upper triangle of [A, Z]' W [A, Z], W the weights over their sum; overwritten. output_layer: V, units
/// x outputs. matrix: hidden_size() squared, of which the upper triangle is written.
void gauss_newton(const BlockShape& shape, std::span<double> products, std::span<const double> output_layer,
                  double alpha_over_n, std::span<double> matrix);

/// One tile of rows with its hidden outputs.
struct CurvatureTile {
  const float* x;
  const float* hidden;   ///< units x tile_rows
  const float* weights;  ///< 0 past the last row
  std::size_t rows;      ///< a multiple of lane_run
};

/// The features a step looks at, and room for the columns of a tile.
struct CurvatureRoom {
  std::span<const data::FeatureSource> features;
  BlockShape shape;
  std::size_t tile_rows, activation;
  float* columns;        ///< curvature_columns x tile_rows
  float* ramps;          ///< those among the features x tile_rows
  const float** inputs;  ///< features
};

/// Adds the tile's products, weights not divided by anything, to the upper triangle.
void add_curvature_products(const CurvatureRoom& room, const CurvatureTile& tile, double* products);

}  // namespace accrete::backend
