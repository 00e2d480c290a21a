#include "accrete/network/forward_kernel.hpp"

#include "accrete/data/neighbours.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/forward_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include "accrete/data/ramp-inl.hpp"
#include "accrete/network/dense-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

void forward_hidden(const TileForward::Task& task, const float* tile) {
  const Block& b = *task.block;
  const std::size_t t = task.features.tile_rows, f = b.features.size();
  data::HWY_NAMESPACE::point_at_features(task.features, tile, t, task.inputs, task.ramps);
  combine_activated(
      {task.inputs, f, b.hidden_weights.data(), b.hidden_bias.data(), t, t, task.hidden, task.spacing, task.ahead},
      b.units, task.activation);
}

void forward_output(const TileForward::Task& task, const float* hidden, float* out) {
  const Block& b = *task.block;
  const std::size_t t = task.features.tile_rows, f = b.features.size();
  for (std::size_t j = 0; j < b.units; ++j) task.inputs[f + j] = hidden + j * t;
  combine<Plain>({task.inputs + f, b.units, task.output_weights, task.zeros, t, t, out}, b.outputs);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(forward_hidden);
HWY_EXPORT(forward_output);

TileForward::TileForward(const Block& block, activation::Activation activation, const data::Features& x,
                         const float* known)
    : x_(x), known_(known), features_(x.sources(block.features)), inputs_(block.features.size() + block.units) {
  const std::size_t t = x.tile_rows(), ramps = data::ramps_among(features_);
  floats_.resize((block.units + ramps) * t + (block.units + 1) * block.outputs);
  float* hidden = floats_.data();
  float* room = hidden + block.units * t;
  float* weights = room + ramps * t;
  for (std::size_t j = 0; j < block.units; ++j)
    for (std::size_t k = 0; k < block.outputs; ++k)
      weights[k * block.units + j] = block.output_weights[j * block.outputs + k];
  const float* zeros = weights + block.units * block.outputs;
  const data::FeatureList list{features_.data(), features_.size(), t};
  task_ = {&block,
           activation.index,
           list,
           weights,
           zeros,
           inputs_.data(),
           hidden,
           room,
           data::are_neighbours(features_) ? t : 0,
           data::are_far(x) ? t * x.stored().cols() : 0};
}

void TileForward::operator()(std::size_t tile, float* out) {
  if (!known_) HWY_DYNAMIC_DISPATCH(forward_hidden)(task_, x_.stored().tile(tile));
  const float* hidden = known_ ? known_ + tile * task_.block->units * task_.features.tile_rows : task_.hidden;
  HWY_DYNAMIC_DISPATCH(forward_output)(task_, hidden, out);
}

}  // namespace accrete::network
#endif
