#pragma once
// The gradient of the weights of sparse features. It runs over columns instead of rows: the sum of a column is complete
// when its entries have been read, so that no chunk of rows needs sums of all columns, and the bits do not depend on
// how columns are shared among threads.

#include <cstddef>

#include "accrete/network/sparse_layer.hpp"

namespace accrete::backend {

struct SparseGradient {
  const network::SparseLayer& layer;
  const float* deltas;         ///< rows x width: gradient by the sums of the hidden units
  std::size_t block_features;  ///< all features of the block
  double* gradient;            ///< units x block_features
};

/// Writes the derivatives by the weights of layer.features() first .. last - 1.
void write_sparse_gradient(const SparseGradient& args, std::size_t first, std::size_t last);

}  // namespace accrete::backend
