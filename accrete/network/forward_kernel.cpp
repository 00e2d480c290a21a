#include "accrete/network/forward_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/forward_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include "accrete/network/dense-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

void forward_tile(const TileForward::Task& task, const float* tile, float* out) {
  const Block& b = *task.block;
  const std::size_t t = task.tile_rows, f = b.features.size();
  for (std::size_t i = 0; i < f; ++i) task.inputs[i] = tile + b.features[i] * t;
  combine_activated({task.inputs, f, b.hidden_weights.data(), b.hidden_bias.data(), t, t, task.hidden}, b.units,
                    task.activation);
  for (std::size_t j = 0; j < b.units; ++j) task.inputs[f + j] = task.hidden + j * t;
  combine<Plain>({task.inputs + f, b.units, task.output_weights, task.zeros, t, t, out}, b.outputs);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(forward_tile);

TileForward::TileForward(const Block& block, activation::Activation activation, std::size_t tile_rows)
    : floats_(block.units * tile_rows + (block.units + 1) * block.outputs),
      inputs_(block.features.size() + block.units) {
  float* hidden = floats_.data();
  float* weights = hidden + block.units * tile_rows;
  for (std::size_t j = 0; j < block.units; ++j)
    for (std::size_t k = 0; k < block.outputs; ++k)
      weights[k * block.units + j] = block.output_weights[j * block.outputs + k];
  const float* zeros = weights + block.units * block.outputs;
  task_ = {&block, activation.index, tile_rows, weights, zeros, inputs_.data(), hidden};
}

void TileForward::operator()(const core::TiledMatrix& x, std::size_t tile, float* out) {
  HWY_DYNAMIC_DISPATCH(forward_tile)(task_, x.tile(tile), out);
}

}  // namespace accrete::network
#endif
