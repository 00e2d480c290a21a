// The forward pass of a plain network over one tile of rows, compiled once per instruction set. Training keeps the
// outputs of every layer, prediction only those of the last layer.

#if defined(ACCRETE_NETWORK_PLAIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_PLAIN_INL_HPP
#undef ACCRETE_NETWORK_PLAIN_INL_HPP
#else
#define ACCRETE_NETWORK_PLAIN_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/kernels/dense-inl.hpp"
#include "accrete/network/plain.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

/// One tile. rows is a multiple of line_floats; the values of unit (or feature) p of a layer start at p * stride.
struct PlainTile {
  const float* features;
  std::size_t rows, stride;
  const float** inputs;  ///< scratch: one pointer per unit of the widest layer
};

/// to[p] = pointer to column p of an array of `count` columns.
HWY_ATTR inline void point_at_columns(const float* from, std::size_t count, std::size_t stride, const float** to) {
  for (std::size_t p = 0; p < count; ++p) to[p] = from + p * stride;
}

/// out(layer) returns the array for the outputs of that layer.
template <class Out>
HWY_ATTR inline void forward_layers(const PlainShape& shape, const float* parameters, std::size_t activation,
                                    const PlainTile& tile, Out&& out) {
  const float* from = tile.features;
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    point_at_columns(from, shape.inputs(l), tile.stride, tile.inputs);
    float* to = out(l);
    const DenseArgs layer{.in = tile.inputs,
                          .inputs = shape.inputs(l),
                          .weights = parameters + shape.weights_at(l),
                          .bias = parameters + shape.bias_at(l),
                          .rows = tile.rows,
                          .stride = tile.stride,
                          .out = to};
    if (l + 1 < shape.layers())
      dense_layer_activated(layer, shape.outputs(l), activation);
    else
      dense_layer<NoActivation>(layer, shape.outputs(l));
    from = to;
  }
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
