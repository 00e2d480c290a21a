#include "accrete/backend/kernels/score_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/backend/kernels/score_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/backend/kernels/row_weights-inl.hpp"
#include "accrete/loss/list.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void update_scores(const TileLoss& l, const float* h, const double* bias, double* sums, float* scores) {
  for (std::size_t k = 0; k < l.outputs; ++k) {
    const double b = bias[k];
    double* __restrict sum = sums + k * l.tile_rows;
    float* __restrict to = scores + k * l.tile_rows;
    if (h) {
      const float* __restrict more = h + k * l.tile_rows;
      for (std::size_t r = 0; r < l.tile_rows; ++r) sum[r] += static_cast<double>(more[r]);
    }
    for (std::size_t r = 0; r < l.tile_rows; ++r) to[r] = static_cast<float>(sum[r] + b);
  }
}

loss::LossRows<float> to_loss_rows(const TileLoss& l, const TileRows& rows) {
  return {.count = rows.rows,
          .stride = l.tile_rows,
          .outputs = l.outputs,
          .targets = rows.targets,
          .scores = rows.scores,
          .settings = l.settings};
}

/// Weighted sum of the loss at rows.scores.
double loss_sum(const TileLoss& l, const TileRows& rows, float* values) {
  const auto loss_rows = to_loss_rows(l, rows);
  loss::All::visit(l.loss, [&](auto formula) { decltype(formula)::values(loss_rows, values); });
  return weighted_sum(values, rows.weights, rows.rows);
}

double loss_after_block(const TileLoss& l, TileRows rows, const float* h, const double* bias, float* scratch) {
  float* scores = scratch + l.tile_rows;
  for (std::size_t k = 0; k < l.outputs; ++k) {
    const float b = static_cast<float>(bias[k]);
    const float* __restrict from = rows.scores + k * l.tile_rows;
    const float* __restrict more = h + k * l.tile_rows;
    float* __restrict to = scores + k * l.tile_rows;
    for (std::size_t r = 0; r < rows.rows; ++r) to[r] = from[r] + more[r] + b;
  }
  rows.scores = scores;
  return loss_sum(l, rows, scratch);
}

double sum_weighted(const float* values, const float* weights, std::size_t rows) {
  return weighted_sum(values, weights, rows);
}

/// Sum of w * a^2 in double.
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

ScoreSums loss_and_residuals(const TileLoss& l, const TileRows& rows, float scale, float* residuals, float* values) {
  const auto loss_rows = to_loss_rows(l, rows);
  loss::All::visit(l.loss,
                   [&](auto formula) { decltype(formula)::values_and_derivatives(loss_rows, values, residuals); });
  ScoreSums sums{weighted_sum(values, rows.weights, rows.rows), 0.0};
  for (std::size_t k = 0; k < l.outputs; ++k) {
    float* to = residuals + k * l.tile_rows;
    for (std::size_t r = 0; r < rows.rows; ++r) to[r] *= scale;
    sums.squares += weighted_squares(to, rows.weights, rows.rows);
  }
  return sums;
}

void add_newton_sums(const TileLoss& l, const TileRows& rows, const TileStep& step, float* scratch, double* sums) {
  const std::size_t size = l.outputs * l.tile_rows;
  float* __restrict derivative = scratch;
  float* curvature = scratch + size;
  const float* __restrict from = step.residuals;
  for (std::size_t k = 0; k < l.outputs; ++k)
    for (std::size_t r = 0; r < rows.rows; ++r)
      derivative[k * l.tile_rows + r] = step.scale * from[k * l.tile_rows + r];
  const auto loss_rows = to_loss_rows(l, rows);
  loss::All::visit(
      l.loss, [&](auto formula) { decltype(formula)::curvatures_from_derivatives(loss_rows, derivative, curvature); });
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  for (std::size_t k = 0; k < l.outputs; ++k) {
    const std::size_t at = k * l.tile_rows;
    auto slope = hn::Zero(d), second = slope, largest = slope;
    for (std::size_t r = 0; r < rows.rows; r += hn::Lanes(d)) {
      const auto h = hn::Add(hn::PromoteTo(d, hn::Load(narrow, step.h + at + r)), hn::Set(d, step.bias[k]));
      const auto weight = hn::PromoteTo(d, hn::Load(narrow, rows.weights + r));
      const auto weighted = hn::Mul(h, weight);
      slope = hn::NegMulAdd(weighted, hn::PromoteTo(d, hn::Load(narrow, derivative + at + r)), slope);
      second = hn::MulAdd(hn::Mul(weighted, h), hn::PromoteTo(d, hn::Load(narrow, curvature + at + r)), second);
      // The weights of padding rows are 0.
      largest = hn::Max(largest, hn::IfThenElseZero(hn::Gt(weight, hn::Zero(d)), hn::Abs(h)));
    }
    sums[k] += hn::GetLane(hn::SumOfLanes(d, slope));
    sums[l.outputs + k] += hn::GetLane(hn::SumOfLanes(d, second));
    double& max = sums[2 * l.outputs + k];
    max = std::max(max, hn::GetLane(hn::MaxOfLanes(d, largest)));
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::backend {

HWY_EXPORT(update_scores);
HWY_EXPORT(loss_after_block);
HWY_EXPORT(sum_weighted);
HWY_EXPORT(loss_and_residuals);
HWY_EXPORT(add_newton_sums);

void update_scores(const TileLoss& loss, const float* h, const double* bias, double* sums, float* scores) {
  HWY_DYNAMIC_DISPATCH(update_scores)(loss, h, bias, sums, scores);
}

double loss_after_block(const TileLoss& loss, const TileRows& rows, const float* h, const double* bias,
                        float* scratch) {
  return HWY_DYNAMIC_DISPATCH(loss_after_block)(loss, rows, h, bias, scratch);
}

double sum_weighted(const float* values, const float* weights, std::size_t rows) {
  return HWY_DYNAMIC_DISPATCH(sum_weighted)(values, weights, rows);
}

ScoreSums loss_and_residuals(const TileLoss& loss, const TileRows& rows, float scale, float* residuals, float* values) {
  return HWY_DYNAMIC_DISPATCH(loss_and_residuals)(loss, rows, scale, residuals, values);
}

void add_newton_sums(const TileLoss& loss, const TileRows& rows, const TileStep& step, float* scratch, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_newton_sums)(loss, rows, step, scratch, sums);
}

}  // namespace accrete::backend
#endif
