#include "accrete/backend/evaluate_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/backend/evaluate_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include "accrete/activation/list.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/network/dense-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace dense = network::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

/// sum of a * b, each product rounded to float and all added in double.
double dot_in_double(const float* a, const float* b, std::size_t count) {
  const hn::CappedTag<double, 8> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  const std::size_t n = hn::Lanes(wide);
  auto s0 = hn::Zero(wide), s1 = s0;
  for (std::size_t i = 0; i < count; i += 2 * n) {
    s0 = hn::Add(s0, hn::PromoteTo(wide, hn::Mul(hn::Load(narrow, a + i), hn::Load(narrow, b + i))));
    s1 = hn::Add(s1, hn::PromoteTo(wide, hn::Mul(hn::Load(narrow, a + i + n), hn::Load(narrow, b + i + n))));
  }
  return hn::GetLane(hn::SumOfLanes(wide, hn::Add(s0, s1)));
}

double dot(const double* a, const double* b, std::size_t count) {
  const hn::CappedTag<double, 8> d;
  const std::size_t n = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t i = 0; i < count; i += 4 * n) {
    s0 = hn::MulAdd(hn::Load(d, a + i), hn::Load(d, b + i), s0);
    s1 = hn::MulAdd(hn::Load(d, a + i + n), hn::Load(d, b + i + n), s1);
    s2 = hn::MulAdd(hn::Load(d, a + i + 2 * n), hn::Load(d, b + i + 2 * n), s2);
    s3 = hn::MulAdd(hn::Load(d, a + i + 3 * n), hn::Load(d, b + i + 3 * n), s3);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

void forward_hidden(const TileBlock& b, const TileRows& rows, TileScratch& s) {
  for (std::size_t i = 0; i < b.features; ++i) s.inputs[i] = rows.x + b.feature[i] * b.tile_rows;
  dense::combine({s.inputs, b.features, b.hidden_weights, b.hidden_bias, b.tile_rows, s.hidden}, b.units);
  dense::activate(b.activation, s.hidden, b.units * b.tile_rows);
}

template <class Formula>
void loss_by(const loss::Run<float>& run, float* value, float* derivative, float* curvature) {
  if (value && derivative)
    Formula::values_and_derivatives(run, value, derivative);
  else if (value)
    Formula::values(run, value);
  else if (derivative)
    Formula::derivatives(run, derivative);
  if (curvature) Formula::curvatures(run, curvature);
}

/// Outputs and errors (each times its row's weight) from the hidden outputs; adds to the value.
void output_errors(const TileBlock& b, const TileRows& rows, TileScratch& s) {
  const std::size_t t = b.tile_rows;
  for (std::size_t j = 0; j < b.units; ++j) s.inputs[j] = s.hidden + j * t;
  dense::combine({s.inputs, b.units, b.output_weights, b.output_bias, t, s.out}, b.outputs);
  if (rows.base)
    for (std::size_t i = 0; i < b.outputs * t; ++i) s.out[i] += rows.base[i];
  const loss::Run<float> run{t, t, b.outputs, rows.targets, s.out, b.settings};
  loss::All::visit(b.loss, [&](auto l) { loss_by<decltype(l)>(run, s.values, s.errors, nullptr); });
  for (std::size_t k = 0; k < b.outputs; ++k)
    for (std::size_t r = 0; r < t; ++r) s.errors[k * t + r] *= rows.weights[r];
  s.value += dot_in_double(s.values, rows.weights, t);
}

template <class Formula>
void times_slope(const float* hidden, float* delta, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) delta[i] *= Formula::slope(hidden[i]);
}

/// From the errors to the hidden layer's gradient.
void backward_hidden(const TileBlock& b, const TileRows& rows, TileScratch& s) {
  const std::size_t t = b.tile_rows;
  for (std::size_t k = 0; k < b.outputs; ++k) s.inputs[k] = s.errors + k * t;
  dense::combine({s.inputs, b.outputs, b.back_weights, b.zeros, t, s.delta}, b.units);
  activation::All::visit(b.activation, [&](auto a) { times_slope<decltype(a)>(s.hidden, s.delta, b.units * t); });
  for (std::size_t i = 0; i < b.features; ++i) s.inputs[i] = rows.x + b.feature[i] * t;
  s.inputs[b.features] = b.ones;
  dense::accumulate({s.inputs, b.features + 1, s.delta, b.units, t, s.hidden_sums});
}

void evaluate(const TileBlock& b, const TileRows& rows, TileScratch& s) {
  forward_hidden(b, rows, s);
  output_errors(b, rows, s);
  s.inputs[b.units] = b.ones;
  dense::accumulate({s.inputs, b.units + 1, s.errors, b.outputs, b.tile_rows, s.output_sums});
  backward_hidden(b, rows, s);
}

void project(const TileBlock& b, const TileRows& rows, TileScratch& s, double* gram) {
  forward_hidden(b, rows, s);
  const std::size_t t = b.tile_rows, n = b.units + 1, columns = n + b.outputs;
  double* plain = s.wide;
  double* weighted = s.wide + columns * t;
  for (std::size_t i = 0; i < columns; ++i) {
    const float* from = i < b.units ? s.hidden + i * t : i == b.units ? b.ones : rows.targets + (i - n) * t;
    for (std::size_t r = 0; r < t; ++r) {
      plain[i * t + r] = static_cast<double>(from[r]);
      weighted[i * t + r] = static_cast<double>(from[r]) * static_cast<double>(rows.weights[r]);
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t q = i; q < columns; ++q) gram[i * columns + q] += dot(plain + i * t, weighted + q * t, t);
}

void evaluate_projected(const TileBlock& b, const TileRows& rows, TileScratch& s) {
  output_errors(b, rows, s);
  backward_hidden(b, rows, s);
}

void measure(const TileBlock& b, const TileRows& rows, float* value, float* derivative, float* curvature) {
  const loss::Run<float> run{b.tile_rows, b.tile_rows, b.outputs, rows.targets, rows.base, b.settings};
  loss::All::visit(b.loss, [&](auto l) { loss_by<decltype(l)>(run, value, derivative, curvature); });
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::backend {

HWY_EXPORT(evaluate);
HWY_EXPORT(project);
HWY_EXPORT(evaluate_projected);
HWY_EXPORT(measure);

void evaluate_tile(const TileBlock& block, const TileRows& rows, TileScratch& scratch) {
  HWY_DYNAMIC_DISPATCH(evaluate)(block, rows, scratch);
}

void project_tile(const TileBlock& block, const TileRows& rows, TileScratch& scratch, double* gram) {
  HWY_DYNAMIC_DISPATCH(project)(block, rows, scratch, gram);
}

void evaluate_projected_tile(const TileBlock& block, const TileRows& rows, TileScratch& scratch) {
  HWY_DYNAMIC_DISPATCH(evaluate_projected)(block, rows, scratch);
}

void loss_tile(const TileBlock& block, const TileRows& rows, float* value, float* derivative, float* curvature) {
  HWY_DYNAMIC_DISPATCH(measure)(block, rows, value, derivative, curvature);
}

}  // namespace accrete::backend
#endif
