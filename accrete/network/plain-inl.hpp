// The forward pass of a plain network over one tile of rows, once per instruction set: for training, which keeps every
// layer's outputs, and for prediction, which needs the last ones alone.

#if defined(ACCRETE_NETWORK_PLAIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_PLAIN_INL_HPP
#undef ACCRETE_NETWORK_PLAIN_INL_HPP
#else
#define ACCRETE_NETWORK_PLAIN_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/dense-inl.hpp"
#include "accrete/network/plain.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

/// rows is a multiple of lane_run; column p of any layer begins at its array + p * stride.
struct PlainTile {
  const float* features;
  std::size_t rows, stride;
  const float** inputs;  ///< room for one pointer per unit of the widest layer
};

HWY_ATTR inline void point_at_columns(const float* from, std::size_t count, std::size_t stride, const float** to) {
  for (std::size_t p = 0; p < count; ++p) to[p] = from + p * stride;
}

/// out(layer): where that layer's outputs go.
template <class Out>
HWY_ATTR inline void forward_layers(const PlainShape& shape, const float* parameters, std::size_t activation,
                                    const PlainTile& tile, Out&& out) {
  const float* from = tile.features;
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    point_at_columns(from, shape.inputs(l), tile.stride, tile.inputs);
    float* to = out(l);
    const Combine layer{tile.inputs,
                        shape.inputs(l),
                        parameters + shape.weights_at(l),
                        parameters + shape.bias_at(l),
                        tile.rows,
                        tile.stride,
                        to};
    if (l + 1 < shape.layers())
      combine_activated(layer, shape.outputs(l), activation);
    else
      combine<Plain>(layer, shape.outputs(l));
    from = to;
  }
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
