#pragma once
// The part of a hidden layer whose features are sparse. The cost of a row is its number of entries, not of features:
// each entry is multiplied by the weights of all units, which are contiguous.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/data/features.hpp"

namespace accrete::network {

/// A feature of a block that is stored in the sparse block.
struct SparseFeature {
  std::size_t feature;  ///< index among the features of the block
  std::size_t column;
};

class SparseLayer {
 public:
  /// features: the features of a block. Keeps a reference to x.
  void build(const data::Features& x, std::span<const std::size_t> features, std::size_t units);

  bool empty() const { return features_.empty(); }
  const std::vector<SparseFeature>& features() const { return features_; }
  const data::SparseBlock& block() const { return *block_; }
  std::size_t units() const { return units_; }
  std::size_t width() const { return width_; }  ///< units, padded
  /// columns of the sparse block x width; 0 for features that the block of units does not read.
  const float* weights() const { return weights_.data(); }

  /// weights: units x all features of the block.
  void set_weights(std::span<const double> weights) { transpose(weights.data()); }
  void set_weights(std::span<const float> weights) { transpose(weights.data()); }

 private:
  template <class Weight>
  void transpose(const Weight* weights);

  const data::SparseBlock* block_ = nullptr;
  std::size_t units_ = 0, width_ = 0, all_features_ = 0;
  std::vector<SparseFeature> features_;
  core::AlignedVector<float> weights_;
};

}  // namespace accrete::network
