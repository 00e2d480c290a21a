#pragma once
// The forward pass of one block over tiles of rows, for the instruction set at hand.

#include <cstddef>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/aligned.hpp"
#include "accrete/data/features.hpp"
#include "accrete/network/block.hpp"

namespace accrete::network {

/// One block made ready to run over tiles. Not shared between threads: it holds the hidden layer of a tile.
class TileForward {
 public:
  /// Keeps references to the block and the features. known: the block's hidden outputs of all tiles (units x tile_rows
  /// each), where somebody has computed them already, or null.
  TileForward(const Block& block, activation::Activation activation, const data::Features& x,
              const float* known = nullptr);

  /// out: outputs x tile_rows floats on a cache line, WITHOUT the block's output bias.
  void operator()(std::size_t tile, float* out);

  /// What the kernel reads; see dense-inl.hpp.
  struct Task {
    const Block* block;
    std::size_t activation;
    data::FeatureList features;
    const float* output_weights;  ///< outputs x units: the block's, transposed
    const float* zeros;           ///< outputs
    const float** inputs;         ///< room for features, then units
    float* hidden;                ///< room for units x tile_rows
    float* ramps;                 ///< those among the features x tile_rows
    std::size_t spacing, ahead;   ///< as in dense-inl.hpp
  };

 private:
  const data::Features& x_;
  const float* known_;
  std::vector<data::FeatureSource> features_;
  core::AlignedVector<float> floats_;
  std::vector<const float*> inputs_;
  Task task_;
};

}  // namespace accrete::network
