#pragma once
// The projected objective of one unit and one output in a single pass over the rows. The output layer (v, b) is known
// only after the last row. But for row weight w, residual r, activation a and its derivative a', the gradient with
// respect to the hidden weight of feature x is
//
//   v sum w (v a + b - r) a' x  =  v (v sum w a a' x + b sum w a' x - sum w r a' x),
//
// and its three sums, like those of the value, do not depend on v and b.

#include "accrete/backend/cuda/output_layer.cuh"
#include "accrete/backend/cuda/register_pass.cuh"

namespace accrete::cuda {

template <class Team, class Losses>
struct SinglePass {
  using Step = FixedRows<Team, Losses, 1, 1>;
  static constexpr unsigned features = max_single_pass_features, warps = Team::warps;

  const Step& step;
  double* gradient;

  __device__ double evaluate(Team& team, const double* point) const {
    step.load_hidden(point);
    sync_block<warps>();
    Accumulators sums;
    Moments moments;
    add_rows(sums, moments);
    const double squares = team.sum(moments.sums[5]);
    sync_block<warps>();  // the next sums reuse this memory
    const RegisterProjection<Team, Losses, 1, 1> projection{step};
    projection.template store_sums<5>(warp_sums<8>(moments.sums), 0);
    projection.all_reduce(team);
    const double a_r = projection.layer[0], r = projection.layer[1];
    const double a_a = projection.gram[0], a = projection.gram[2], one = projection.gram[3];
    sync_block<warps>();
    projection.solve();
    const double v = projection.layer[0], b = projection.layer[1];
    store(sums, static_cast<float>(v), static_cast<float>(b));
    sync_block<warps>();
    RegisterPass<Team, Losses, 1, 1>{step, gradient}.add_warps(point, step.width + 1);
    const double value = 0.5 * (squares - 2.0 * (v * a_r + b * r) + v * v * a_a + 2.0 * v * b * a + b * b * one);
    const double penalty = penalty_value<Team>(point, step.width, projection.layer, 1);
    return team.all_reduce_with(penalty, gradient, step.width + 1) + value;
  }

 private:
  /// Sums of the features, and of 1, with factors w a a', w a' and w r a'.
  struct Accumulators {
    float features[3][16] = {}, ones[4] = {};
  };
  /// Weighted sums of the normal equations: a r, r, a a, a, 1; and of r r.
  struct Moments {
    double sums[8] = {};
  };

  __device__ void add_rows(Accumulators& sums, Moments& moments) const {
    float x[features] = {};
    step.for_rows([&](unsigned i, unsigned row) {
      float a[1], slope = 0.0f;
      step.load(row, 0, x);
      const float w = step.weight(i), r = step.targets[i];
      typename Step::UnitSums unit_sums;
      step.add(x, 0, unit_sums);
      step.activate(unit_sums, a);
      visit_activation(step.activation, [&](auto formula) { slope = decltype(formula)::slope(a[0]); });
      const float factors[3] = {w * slope * a[0], w * slope, w * slope * r};
#pragma unroll
      for (int s = 0; s < 3; ++s) {
        sums.ones[s] += factors[s];
#pragma unroll
        for (unsigned f = 0; f < features; f += quad)
          if (f < step.width)
#pragma unroll
            for (unsigned q = f; q < f + quad; ++q) sums.features[s][q] += factors[s] * x[q];
      }
      const double weighted = double(w) * a[0], target = r;
      moments.sums[0] += weighted * target, moments.sums[1] += w * target;
      moments.sums[2] += weighted * a[0], moments.sums[3] += weighted, moments.sums[4] += w;
      moments.sums[5] += w * target * target;
    });
  }

  /// Stores this warp's gradient, in parameter order.
  __device__ void store(Accumulators& sums, float v, float b) const {
    float by_feature[3];
#pragma unroll
    for (int s = 0; s < 3; ++s) by_feature[s] = warp_sums<16>(sums.features[s]);
    const float ones = warp_sums<4>(sums.ones);
    float* to = RegisterPass<Team, Losses, 1, 1>{step, gradient}.warp_gradient();
    if (lane() < step.width) to[lane()] = v * (v * by_feature[0] + b * by_feature[1] - by_feature[2]);
    const float by_a = __shfl_sync(full_warp, ones, 0), by_one = __shfl_sync(full_warp, ones, 1);
    const float by_r = __shfl_sync(full_warp, ones, 2);
    if (lane() == 0) to[step.width] = v * (v * by_a + b * by_one - by_r);
  }
};

}  // namespace accrete::cuda
