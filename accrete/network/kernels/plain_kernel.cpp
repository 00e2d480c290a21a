#include "accrete/network/plain.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/kernels/plain_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/network/kernels/plain-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

const float* forward_plain(const PlainNetwork& network, const float* tile, std::size_t rows, PlainScratch& scratch) {
  const std::size_t padded = (rows + line_floats - 1) / line_floats * line_floats;
  const auto out = [&](std::size_t layer) { return layer % 2 == 0 ? scratch.even.data() : scratch.odd.data(); };
  forward_layers(network.shape, network.parameters.data(), network.activation.index,
                 {tile, padded, scratch.tile_rows, scratch.inputs.data()}, out);
  return out(network.shape.layers() - 1);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(forward_plain);

const float* forward_tile(const PlainNetwork& network, const float* tile, std::size_t rows, PlainScratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(forward_plain)(network, tile, rows, scratch);
}

}  // namespace accrete::network
#endif
