#include "accrete/backend/score_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/backend/score_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include "accrete/backend/loss-inl.hpp"
#include "accrete/loss/list.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void move(const TileLoss& l, const float* h, const double* bias, double* sums, float* base) {
  for (std::size_t k = 0; k < l.outputs; ++k) {
    const double b = bias[k];
    double* __restrict sum = sums + k * l.tile_rows;
    float* __restrict to = base + k * l.tile_rows;
    if (h) {
      const float* __restrict more = h + k * l.tile_rows;
      for (std::size_t r = 0; r < l.tile_rows; ++r) sum[r] += static_cast<double>(more[r]);
    }
    for (std::size_t r = 0; r < l.tile_rows; ++r) to[r] = static_cast<float>(sum[r] + b);
  }
}

loss::Run<float> run_of(const TileLoss& l, const TileRows& rows) {
  return {rows.rows, l.tile_rows, l.outputs, rows.targets, rows.base, l.settings};
}

double value(const TileLoss& l, const TileRows& rows, float* values) {
  const auto run = run_of(l, rows);
  loss::All::visit(l.loss, [&](auto formula) { decltype(formula)::values(run, values); });
  return weighted_sum(values, rows.weights, rows.rows);
}

double value_with(const TileLoss& l, TileRows rows, const float* h, const double* bias, float* room) {
  float* scores = room + l.tile_rows;
  for (std::size_t k = 0; k < l.outputs; ++k) {
    const float b = static_cast<float>(bias[k]);
    const float* __restrict from = rows.base + k * l.tile_rows;
    const float* __restrict more = h + k * l.tile_rows;
    float* __restrict to = scores + k * l.tile_rows;
    for (std::size_t r = 0; r < rows.rows; ++r) to[r] = from[r] + more[r] + b;
  }
  rows.base = scores;
  return value(l, rows, room);
}

double total(const float* values, const float* weights, std::size_t rows) {
  return weighted_sum(values, weights, rows);
}

/// sum of w a^2 in double
double weighted_squares(const float* a, const float* w, std::size_t rows) {
  const hn::CappedTag<double, 8> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  auto sum = hn::Zero(wide);
  for (std::size_t r = 0; r < rows; r += hn::Lanes(wide)) {
    const auto v = hn::PromoteTo(wide, hn::Load(narrow, a + r));
    sum = hn::MulAdd(hn::Mul(v, v), hn::PromoteTo(wide, hn::Load(narrow, w + r)), sum);
  }
  return hn::GetLane(hn::SumOfLanes(wide, sum));
}

ScoreSums take(const TileLoss& l, const TileRows& rows, float scale, float* residuals, float* values) {
  const auto run = run_of(l, rows);
  loss::All::visit(l.loss, [&](auto formula) { decltype(formula)::values_and_derivatives(run, values, residuals); });
  ScoreSums sums{weighted_sum(values, rows.weights, rows.rows), 0.0};
  for (std::size_t k = 0; k < l.outputs; ++k) {
    float* to = residuals + k * l.tile_rows;
    for (std::size_t r = 0; r < rows.rows; ++r) to[r] *= scale;
    sums.squares += weighted_squares(to, rows.weights, rows.rows);
  }
  return sums;
}

void newton(const TileLoss& l, const TileRows& rows, const TileStep& step, float* room, double* sums) {
  const std::size_t size = l.outputs * l.tile_rows;
  float* __restrict derivative = room;
  float* curvature = room + size;
  const float* __restrict from = step.residuals;
  for (std::size_t k = 0; k < l.outputs; ++k)
    for (std::size_t r = 0; r < rows.rows; ++r)
      derivative[k * l.tile_rows + r] = step.scale * from[k * l.tile_rows + r];
  const auto run = run_of(l, rows);
  loss::All::visit(l.loss, [&](auto formula) { decltype(formula)::curvatures_beside(run, derivative, curvature); });
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  for (std::size_t k = 0; k < l.outputs; ++k) {
    const std::size_t at = k * l.tile_rows;
    auto slope = hn::Zero(d), bend = slope, largest = slope;
    for (std::size_t r = 0; r < rows.rows; r += hn::Lanes(d)) {
      const auto h = hn::Add(hn::PromoteTo(d, hn::Load(narrow, step.h + at + r)), hn::Set(d, step.bias[k]));
      const auto weight = hn::PromoteTo(d, hn::Load(narrow, rows.weights + r));
      const auto weighted = hn::Mul(h, weight);
      slope = hn::NegMulAdd(weighted, hn::PromoteTo(d, hn::Load(narrow, derivative + at + r)), slope);
      bend = hn::MulAdd(hn::Mul(weighted, h), hn::PromoteTo(d, hn::Load(narrow, curvature + at + r)), bend);
      // Beyond the tile's last row weights are 0.
      largest = hn::Max(largest, hn::IfThenElseZero(hn::Gt(weight, hn::Zero(d)), hn::Abs(h)));
    }
    sums[k] += hn::GetLane(hn::SumOfLanes(d, slope));
    sums[l.outputs + k] += hn::GetLane(hn::SumOfLanes(d, bend));
    double& most = sums[2 * l.outputs + k];
    most = std::max(most, hn::GetLane(hn::MaxOfLanes(d, largest)));
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::backend {

HWY_EXPORT(move);
HWY_EXPORT(value_with);
HWY_EXPORT(total);
HWY_EXPORT(take);
HWY_EXPORT(newton);

void move_scores(const TileLoss& loss, const float* h, const double* bias, double* sums, float* base) {
  HWY_DYNAMIC_DISPATCH(move)(loss, h, bias, sums, base);
}

double loss_sum_with(const TileLoss& loss, const TileRows& rows, const float* h, const double* bias, float* room) {
  return HWY_DYNAMIC_DISPATCH(value_with)(loss, rows, h, bias, room);
}

double weighted_total(const float* values, const float* weights, std::size_t rows) {
  return HWY_DYNAMIC_DISPATCH(total)(values, weights, rows);
}

ScoreSums loss_and_residuals(const TileLoss& loss, const TileRows& rows, float scale, float* residuals, float* values) {
  return HWY_DYNAMIC_DISPATCH(take)(loss, rows, scale, residuals, values);
}

void newton_sums(const TileLoss& loss, const TileRows& rows, const TileStep& step, float* room, double* sums) {
  HWY_DYNAMIC_DISPATCH(newton)(loss, rows, step, room, sums);
}

}  // namespace accrete::backend
#endif
