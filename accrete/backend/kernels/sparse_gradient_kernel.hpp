#pragma once
// The gradient of the weights of sparse features. It runs over columns instead of rows: a column's sum is complete once
// its entries are read, so chunks need no sums for all columns, and the result does not depend on how threads share the
// columns.

#include <cstddef>

#include "accrete/network/sparse_layer.hpp"

namespace accrete::backend {

struct SparseGradient {
  const network::SparseLayer& layer;
  const float* deltas;         ///< rows x width: gradient with respect to the sums of the hidden units
  std::size_t block_features;  ///< all features of the block
  double* gradient;            ///< units x block_features
};

/// Writes the derivatives with respect to the weights of layer.features() first .. last - 1.
void write_sparse_gradient(const SparseGradient& args, std::size_t first, std::size_t last);

}  // namespace accrete::backend
