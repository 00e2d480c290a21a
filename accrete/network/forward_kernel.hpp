#pragma once
// The forward pass of one block over tiles of rows, dispatched to the best instruction set at run time.

#include <cstddef>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/aligned.hpp"
#include "accrete/data/features.hpp"
#include "accrete/network/block.hpp"

namespace accrete::network {

/// Computes the scores that one block adds, tile by tile. Holds scratch for one tile: use one object per thread.
class TileForward {
 public:
  /// Keeps references to the block and the features. cached_hidden: hidden outputs of this block for all tiles (units x
  /// tile_rows each) if they are known, else null.
  TileForward(const Block& block, activation::Activation activation, const data::Features& x,
              const float* cached_hidden = nullptr);

  /// out: outputs x tile_rows floats, cache-line aligned, without the block's output bias.
  void operator()(std::size_t tile, float* out);

  /// Arguments of the kernel; input_stride and prefetch_distance as in DenseArgs (dense_ops-inl.hpp).
  struct KernelArgs {
    const Block* block;
    std::size_t activation;
    data::FeatureList features;
    const float* output_weights;  ///< outputs x units: transposed from the block
    const float* zeros;           ///< outputs
    const float** inputs;         ///< scratch: features, then units
    float* hidden;                ///< scratch: units x tile_rows
    float* ramps;                 ///< scratch: tile_rows per ramp among the features
    std::size_t input_stride, prefetch_distance;
  };

 private:
  const data::Features& x_;
  const float* cached_hidden_;
  std::vector<data::FeatureSource> features_;
  core::AlignedVector<float> floats_;  ///< what args_ points to
  std::vector<const float*> inputs_;
  KernelArgs args_;
};

}  // namespace accrete::network
