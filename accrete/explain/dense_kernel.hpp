#pragma once
// Contributions of a tile of encoded rows from the dense weights: the forward product, the slopes of the units, and the
// product with the transposed weights.

#include <cstddef>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/network/network.hpp"

namespace accrete::explain {

/// The weights of a prefix in the layout of the kernel. Shared by all threads.
class DenseWeights {
 public:
  static constexpr std::size_t max_units = 64;  ///< per chunk, whose slopes then stay in the cache

  /// Keeps a reference to the network.
  DenseWeights(const data::Encoder& encoder, const network::Network& network, std::size_t units);

  /// Consecutive units.
  struct Chunk {
    std::size_t first, units;
    core::AlignedVector<float> forward_packed;             ///< units x features (network/packed_weights.hpp)
    core::AlignedVector<float> backward, backward_packed;  ///< features x units
  };

  const network::Network& network() const { return network_; }
  const std::vector<Chunk>& chunks() const { return chunks_; }
  std::size_t columns() const { return starts_.size() - 1; }
  const std::vector<std::size_t>& starts() const { return starts_; }  ///< first feature per column, then their number
  const core::AlignedVector<float>& zeros() const { return zeros_; }  ///< the biases of both products

 private:
  const network::Network& network_;
  std::vector<Chunk> chunks_;
  std::vector<std::size_t> starts_;
  core::AlignedVector<float> zeros_;
};

/// Computes contributions tile by tile; each thread needs its own object.
class DenseTile {
 public:
  /// Keeps a reference to the weights.
  DenseTile(const DenseWeights& weights, std::size_t tile_rows);

  /// Features x tile_rows; the caller fills them before each call of compute.
  float* features() { return features_.data(); }
  void compute();
  /// Contribution of a column to an output, per row of the tile.
  const double* values(std::size_t column, std::size_t output) const {
    return values_.data() + (output * weights_.columns() + column) * tile_rows_;
  }

  /// Arguments of the kernel.
  struct Args {
    const DenseWeights& weights;
    std::size_t tile_rows;
    float *features, *slopes, *scaled, *sums;  ///< all but features are scratch: units, units and features x tile_rows
    const float** inputs;                      ///< scratch: one per feature or unit
    double* values;                            ///< outputs x columns x tile_rows
  };

 private:
  const DenseWeights& weights_;
  std::size_t tile_rows_;
  core::AlignedVector<float> features_, slopes_, scaled_, sums_;
  std::vector<const float*> inputs_;
  core::AlignedVector<double> values_;
};

}  // namespace accrete::explain
