#include "accrete/network/kernels/forward_kernel.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "accrete/data/feature_memory.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/kernels/forward_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/data/encoder/ramp-inl.hpp"
#include "accrete/network/kernels/dense-inl.hpp"
#include "accrete/network/kernels/lookup-inl.hpp"
#include "accrete/network/kernels/sparse-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

void forward_hidden(const TileForward::KernelArgs& args, const float* tile, std::size_t first_row) {
  const Block& b = *args.block;
  const std::size_t t = args.features.tile_rows;
  data::HWY_NAMESPACE::point_at_features(args.features, tile, t, args.inputs, args.ramps);
  const DenseArgs products{.in = args.inputs,
                           .inputs = args.features.count,
                           .weights = args.hidden_weights,
                           .bias = b.hidden_bias.data(),
                           .rows = t,
                           .stride = t,
                           .out = args.hidden,
                           .input_stride = args.input_stride,
                           .prefetch_distance = args.prefetch_distance};
  if (args.lookup->empty() && args.sparse->empty()) return dense_layer_activated(products, b.units, args.activation);
  const std::size_t dense = args.features.count;
  if (dense > 0 || args.lookup->empty()) dense_layer<NoActivation>(products, b.units);
  if (!args.lookup->empty()) {
    args.lookup->encode_tile(tile, t, args.lookup_entries);
    add_lookup_sums({.tables = args.lookup->tables(),
                     .entries = args.lookup_entries,
                     .rows = t,
                     .tile_rows = t,
                     .units = b.units,
                     .bias = dense == 0 ? products.bias : nullptr},
                    args.hidden, args.interleaved);
  }
  if (!args.sparse->empty()) add_sparse_sums(sparse_tile(*args.sparse, first_row, t), args.hidden);
  activation::All::visit(args.activation, [&](auto formula) {
    for (std::size_t j = 0; j < b.units; ++j) activate_array(formula, args.hidden + j * t, t);
  });
}

void forward_output(const TileForward::KernelArgs& args, const float* hidden, float* out) {
  const Block& b = *args.block;
  const std::size_t t = args.features.tile_rows, f = args.features.count;
  for (std::size_t j = 0; j < b.units; ++j) args.inputs[f + j] = hidden + j * t;
  dense_layer<NoActivation>({.in = args.inputs + f,
                             .inputs = b.units,
                             .weights = args.output_weights,
                             .bias = args.zeros,
                             .rows = t,
                             .stride = t,
                             .out = out},
                            b.outputs);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(forward_hidden);
HWY_EXPORT(forward_output);

namespace {

/// The columns that have a weight other than 0 in some unit, and their weights (units x features). A block of a network
/// has all features; columns that its step did not draw must not share a table with others, because the entries of a
/// shared table are rounded sums.
std::vector<data::FeatureSource> used_columns(const Block& block, std::span<const data::FeatureSource> sources,
                                              std::vector<float>& weights) {
  const std::size_t all = sources.size();
  std::vector<std::size_t> used;
  for (std::size_t first = 0, last; first < all; first = last) {
    last = first + 1;
    while (last < all && sources[last].column == sources[first].column) ++last;
    bool is_used = false;
    for (std::size_t j = 0; j < block.units && !is_used; ++j)
      is_used = std::ranges::any_of(std::span(block.hidden_weights).subspan(j * all + first, last - first),
                                    [](float weight) { return weight != 0.0f; });
    for (std::size_t f = first; f < last && is_used; ++f) used.push_back(f);
  }
  std::vector<data::FeatureSource> result;
  for (const std::size_t f : used) result.push_back(sources[f]);
  for (std::size_t j = 0; j < block.units; ++j)
    for (const std::size_t f : used) weights.push_back(block.hidden_weights[j * all + f]);
  return result;
}

}  // namespace

TileForward::TileForward(const Block& block, activation::Activation activation, const data::Features& x,
                         const float* cached_hidden, const SparseLayer* sparse)
    : x_(x), cached_hidden_(cached_hidden) {
  if (!sparse) {
    if (x.sparse()) own_sparse_ = sparse_layer(block, x);
    sparse = &own_sparse_;
  }
  // With many sparse features, collecting their sources would take each thread longer than computing its rows.
  const bool has_dense = sparse->features().size() < block.features.size();
  std::vector<data::FeatureSource> sources = has_dense ? x.sources(block.features) : std::vector<data::FeatureSource>{};
  // In small fits, whose blocks are small, this constructor takes a noticeable share of the time. Most of these blocks
  // need no tables.
  const bool all_stored = std::ranges::none_of(
      sources, [](const data::FeatureSource& source) { return source.is_computed() || source.is_sparse(); });
  std::vector<float> weights_of_used;
  std::span<const float> feature_weights(block.hidden_weights);
  if (all_stored) {
    features_ = std::move(sources);
  } else {
    sources = used_columns(block, sources, weights_of_used);
    feature_weights = weights_of_used;
    lookup_.build(sources, block.units);
    lookup_.set_weights(feature_weights);
    features_.reserve(lookup_.dense().size());
    for (const std::size_t f : lookup_.dense()) features_.push_back(sources[f]);
  }
  inputs_.resize(features_.size() + block.units + 1);
  const std::size_t t = x.tile_rows(), computed = data::count_computed(features_);
  const std::size_t width = lookup_.empty() ? 0 : lookup_.tables().width;
  lookup_entries_.resize(lookup_.tables().count * t);
  floats_.resize((block.units + computed + width) * t + block.units * features_.size() +
                 (block.units + 1) * block.outputs);
  float* hidden = floats_.data();
  float* ramp_values = hidden + block.units * t;
  float* interleaved = ramp_values + computed * t;
  float* hidden_weights = interleaved + width * t;
  float* weights = hidden_weights + block.units * features_.size();
  if (all_stored)
    std::ranges::copy(feature_weights.first(block.units * features_.size()), hidden_weights);
  else
    for (std::size_t j = 0; j < block.units; ++j)
      for (std::size_t i = 0; i < features_.size(); ++i)
        hidden_weights[j * features_.size() + i] = feature_weights[j * sources.size() + lookup_.dense()[i]];
  for (std::size_t j = 0; j < block.units; ++j)
    for (std::size_t k = 0; k < block.outputs; ++k)
      weights[k * block.units + j] = block.output_weights[j * block.outputs + k];
  const float* zeros = weights + block.units * block.outputs;
  const data::FeatureList list{features_.data(), features_.size(), t};
  args_ = {.block = &block,
           .activation = activation.index,
           .features = list,
           .hidden_weights = hidden_weights,
           .output_weights = weights,
           .zeros = zeros,
           .inputs = inputs_.data(),
           .hidden = hidden,
           .ramps = ramp_values,
           .input_stride = data::are_contiguous(features_) ? t : 0,
           .prefetch_distance = data::exceeds_l2(x) ? t * x.stored().cols() : 0,
           .lookup = &lookup_,
           .lookup_entries = lookup_entries_.data(),
           .interleaved = interleaved,
           .sparse = sparse};
}

void TileForward::operator()(std::size_t tile, float* out) {
  if (!cached_hidden_) HWY_DYNAMIC_DISPATCH(forward_hidden)(args_, x_.stored().tile(tile), tile * x_.tile_rows());
  const float* hidden =
      cached_hidden_ ? cached_hidden_ + tile * args_.block->units * args_.features.tile_rows : args_.hidden;
  HWY_DYNAMIC_DISPATCH(forward_output)(args_, hidden, out);
}

SparseLayer sparse_layer(const Block& block, const data::Features& x) {
  SparseLayer layer;
  layer.build(x, block.features, block.units);
  layer.set_weights(std::span<const float>(block.hidden_weights));
  return layer;
}

}  // namespace accrete::network
#endif
