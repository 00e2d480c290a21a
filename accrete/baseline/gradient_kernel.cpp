#include "accrete/baseline/gradient_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/baseline/gradient_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include <algorithm>
#include <utility>

#include "accrete/activation/list.hpp"
#include "accrete/backend/kernels/accumulate-inl.hpp"
#include "accrete/backend/kernels/reduce-inl.hpp"
#include "accrete/backend/kernels/row_weights-inl.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/network/kernels/plain-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::baseline::HWY_NAMESPACE {

namespace dense = network::HWY_NAMESPACE;
namespace sums = backend::HWY_NAMESPACE;

/// The outputs of a layer in the scratch.
float* outs_of(const GradientTask& task, const GradientScratch& s, std::size_t layer) {
  float* at = s.outs;
  for (std::size_t l = 0; l < layer; ++l) at += task.shape->outputs(l) * task.tile_rows;
  return at;
}

/// Writes the weighted derivatives of the loss with respect to the scores to s.delta; returns the weighted loss.
double output_errors(const GradientTask& task, const backend::TileRows& rows, const GradientScratch& s) {
  const std::size_t outputs = task.shape->outputs(), t = task.tile_rows;
  const float* scores = outs_of(task, s, task.shape->layers() - 1);
  const loss::LossRows<float> run{.count = rows.rows,
                                  .stride = t,
                                  .outputs = outputs,
                                  .targets = rows.targets,
                                  .scores = scores,
                                  .settings = task.settings};
  loss::All::visit(task.loss, [&](auto l) { decltype(l)::values_and_derivatives(run, s.values, s.delta); });
  sums::multiply_by_row_weights(s.delta, rows.weights, outputs, rows.rows, t);
  return sums::weighted_sum(s.values, rows.weights, rows.rows);
}

template <class Formula>
void multiply_by_slope(const float* outputs, std::size_t units, std::size_t rows, std::size_t stride, float* delta) {
  for (std::size_t j = 0; j < units; ++j) {
    const float* __restrict a = outputs + j * stride;
    float* __restrict d = delta + j * stride;
    for (std::size_t r = 0; r < rows; ++r) d[r] *= Formula::slope(a[r]);
  }
}

/// Propagates s.delta from a layer's outputs to its inputs.
void propagate_back(const GradientTask& task, std::size_t layer, std::size_t rows, GradientScratch& s) {
  const std::size_t inputs = task.shape->inputs(layer), outputs = task.shape->outputs(layer), t = task.tile_rows;
  dense::point_at_columns(s.delta, outputs, t, s.inputs);
  const float* weights = task.transposed + task.shape->weights_at(layer);
  dense::dense_layer<dense::NoActivation>({s.inputs, outputs, weights, task.zeros, rows, t, s.earlier}, inputs);
  const float* a = outs_of(task, s, layer - 1);
  activation::All::visit(task.activation,
                         [&](auto formula) { multiply_by_slope<decltype(formula)>(a, inputs, rows, t, s.earlier); });
  std::swap(s.delta, s.earlier);
}

void backward(const GradientTask& task, const backend::TileRows& rows, GradientScratch s) {
  const network::PlainShape& shape = *task.shape;
  for (std::size_t l = shape.layers(); l-- > 0;) {
    const float* in = l == 0 ? rows.x : outs_of(task, s, l - 1);
    dense::point_at_columns(in, shape.inputs(l), task.tile_rows, s.inputs);
    s.inputs[shape.inputs(l)] = task.ones;
    sums::accumulate({s.inputs, shape.inputs(l) + 1, s.delta, shape.outputs(l), rows.rows, task.tile_rows,
                      s.sums + shape.weights_at(l) * sums::accumulator_lanes()});
    if (l > 0) propagate_back(task, l, rows.rows, s);
  }
}

/// Reduces the lanes in double and adds them in the order of the parameters.
void reduce_sums(const network::PlainShape& shape, const float* from, double* gradient) {
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    const std::size_t inputs = shape.inputs(l), outputs = shape.outputs(l);
    for (std::size_t p = 0; p < inputs; ++p)
      for (std::size_t q = 0; q < outputs; ++q, from += sums::accumulator_lanes())
        gradient[shape.weights_at(l) + q * inputs + p] += sums::reduce_lanes(from);
    for (std::size_t q = 0; q < outputs; ++q, from += sums::accumulator_lanes())
      gradient[shape.bias_at(l) + q] += sums::reduce_lanes(from);
  }
}

void add_gradient(const GradientTask& task, const backend::ChunkRows& chunk, const GradientScratch& s, double* totals) {
  std::fill_n(s.sums, task.shape->size() * sums::accumulator_lanes(), 0.0f);
  for (std::size_t i = 0; i < chunk.tiles; ++i) {
    const backend::TileRows rows = chunk.tile(i);
    dense::forward_layers(*task.shape, task.parameters, task.activation, {rows.x, rows.rows, task.tile_rows, s.inputs},
                          [&](std::size_t layer) { return outs_of(task, s, layer); });
    totals[0] += output_errors(task, rows, s);
    backward(task, rows, s);
  }
  reduce_sums(*task.shape, s.sums, totals + 1);
}

}  // namespace accrete::baseline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::baseline {

HWY_EXPORT(add_gradient);

void add_gradient(const GradientTask& task, const backend::ChunkRows& rows, const GradientScratch& scratch,
                  double* totals) {
  HWY_DYNAMIC_DISPATCH(add_gradient)(task, rows, scratch, totals);
}

}  // namespace accrete::baseline
#endif
