#pragma once
// The forward pass of one block over tiles of rows, dispatched to the best instruction set at run time.

#include <cstddef>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/aligned.hpp"
#include "accrete/data/features.hpp"
#include "accrete/network/block.hpp"
#include "accrete/network/lookup.hpp"
#include "accrete/network/sparse_layer.hpp"

namespace accrete::network {

/// Computes the scores that one block adds, tile by tile. Owns scratch for one tile: use one object per thread.
class TileForward {
 public:
  /// Keeps references to the block and the features. cached_hidden: hidden outputs of this block for all tiles (units x
  /// tile_rows each), or null to compute them. sparse: the block's sparse features with their weights, which threads
  /// share; null: built here.
  TileForward(const Block& block, activation::Activation activation, const data::Features& x,
              const float* cached_hidden = nullptr, const SparseLayer* sparse = nullptr);

  /// out: outputs x tile_rows floats, cache-line aligned, without the block's output bias.
  void operator()(std::size_t tile, float* out);

  /// Arguments of the kernel; input_stride and prefetch_distance as in DenseArgs (dense_ops-inl.hpp).
  struct KernelArgs {
    const Block* block;
    std::size_t activation;
    data::FeatureList features;   ///< the dense features only
    const float* hidden_weights;  ///< units x dense features
    const float* output_weights;  ///< outputs x units: transposed from the block
    const float* zeros;           ///< one 0 per output, as bias
    const float** inputs;         ///< scratch: features, then units
    float* hidden;                ///< scratch: units x tile_rows
    float* ramps;                 ///< scratch: tile_rows per computed feature
    std::size_t input_stride, prefetch_distance;
    const LookupLayer* lookup;
    std::uint16_t* lookup_entries;  ///< scratch: tables x tile_rows
    float* interleaved;             ///< scratch: width of the tables x tile_rows
    const SparseLayer* sparse;
  };

 private:
  const data::Features& x_;
  const float* cached_hidden_;
  LookupLayer lookup_;
  SparseLayer own_sparse_;
  std::vector<data::FeatureSource> features_;  ///< the dense features only
  std::vector<std::uint16_t> lookup_entries_;
  core::AlignedVector<float> floats_;  ///< backing memory of args_
  std::vector<const float*> inputs_;
  KernelArgs args_;
};

/// Extracts the sparse features of a block with their weights.
SparseLayer sparse_layer(const Block& block, const data::Features& x);

}  // namespace accrete::network
