#include "accrete/network/sparse_layer.hpp"

#include "accrete/network/lookup.hpp"

namespace accrete::network {

void SparseLayer::build(const data::Features& x, std::span<const std::size_t> features, std::size_t units) {
  block_ = x.sparse();
  features_.clear();
  if (!block_) return;
  units_ = units;
  width_ = (units + lookup_units - 1) / lookup_units * lookup_units;
  all_features_ = features.size();
  for (std::size_t i = 0; i < features.size(); ++i)
    if (const data::FeatureSource from = x.source(features[i]); from.is_sparse()) features_.push_back({i, from.column});
  weights_.assign(block_->by_row.columns * width_, 0.0f);
}

template <class Weight>
void SparseLayer::transpose(const Weight* weights) {
  for (const SparseFeature& from : features_)
    for (std::size_t j = 0; j < units_; ++j)
      weights_[from.column * width_ + j] = static_cast<float>(weights[j * all_features_ + from.feature]);
}

template void SparseLayer::transpose(const double*);
template void SparseLayer::transpose(const float*);

}  // namespace accrete::network
