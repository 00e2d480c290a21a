#pragma once
// The projected objective of one unit and one output, with the rows read once. The output layer (v, b) is known only
// when all rows were seen, but with the row's weight w, residual r, activation a and its slope a', the gradient by a
// hidden weight is
//
//   v sum w (v a + b - r) a' x  =  v (v sum w a a' x + b sum w a' x - sum w r a' x),
//
// of sums that do not wait for it; nor does the value's.

#include "accrete/backend/cuda/project.cuh"
#include "accrete/backend/cuda/register_pass.cuh"

namespace accrete::cuda {

template <class Team, class Losses>
struct SinglePass {
  static constexpr unsigned most = 12;  ///< features, since there are three sums for each
  static constexpr unsigned warps = Team::warps;

  const StepRows<Team, Losses, 1, 1>& step;
  double* gradient;

  /// With weights w a a', w a' and w r a': the sums of features, and of ones. Then, by the first lanes, those of the
  /// warp.
  struct Sums {
    float of[3][16] = {}, ones[4] = {};
  };
  /// The normal equations' sums: those of a r, r, a a, a and 1, and then of r r.
  struct Moments {
    double of[8] = {};
  };

  __device__ double evaluate(Team& team, const double* point) const {
    step.load_hidden(point);
    meet<warps>();
    Sums sums;
    Moments moments;
    add_rows(sums, moments);
    const double squares = team.sum(moments.of[5]);
    meet<warps>();  // where that sum was, the next ones go
    const Projection<Team, Losses, 1, 1> projection{step};
    projection.template hand_over<5>(warp_sums<8>(moments.of), 0);
    projection.join(team);
    const double a_r = projection.layer[0], r = projection.layer[1];
    const double a_a = projection.gram[0], a = projection.gram[2], one = projection.gram[3];
    meet<warps>();
    projection.solve();
    const double v = projection.layer[0], b = projection.layer[1];
    hand_over(sums, static_cast<float>(v), static_cast<float>(b));
    meet<warps>();
    RegisterPass<Team, Losses, 1, 1>{step, gradient}.finish(point, step.width + 1);
    const double value = 0.5 * (squares - 2.0 * (v * a_r + b * r) + v * v * a_a + 2.0 * v * b * a + b * b * one);
    return team.join(penalty_value<Team>(point, step.width, projection.layer, 1), gradient, step.width + 1) + value;
  }

  __device__ void add_rows(Sums& sums, Moments& moments) const {
    float x[most] = {};
    step.for_rows([&](unsigned i, unsigned row) {
      float a[1], slope = 0.0f;
      step.load(row, 0, x);
      const float w = step.weight(i), r = step.goals[i];
      typename StepRows<Team, Losses, 1, 1>::Units units;
      step.add(x, 0, units);
      step.finish(units, a);
      choose_activation(step.activation, [&](auto formula) { slope = decltype(formula)::slope(a[0]); });
      const float weights[3] = {w * slope * a[0], w * slope, w * slope * r};
#pragma unroll
      for (int s = 0; s < 3; ++s) {
        sums.ones[s] += weights[s];
#pragma unroll
        for (unsigned f = 0; f < most; f += quad)
          if (f < step.width)
#pragma unroll
            for (unsigned q = f; q < f + quad; ++q) sums.of[s][q] += weights[s] * x[q];
      }
      const double weighted = double(w) * a[0], goal = r;
      moments.of[0] += weighted * goal, moments.of[1] += w * goal;
      moments.of[2] += weighted * a[0], moments.of[3] += weighted, moments.of[4] += w;
      moments.of[5] += w * goal * goal;
    });
  }

  /// This warp's part of the gradient, in the order of parameters.
  __device__ void hand_over(Sums& sums, float v, float b) const {
    float of[3];
#pragma unroll
    for (int s = 0; s < 3; ++s) of[s] = warp_sums<16>(sums.of[s]);
    const float ones = warp_sums<4>(sums.ones);
    float* part = RegisterPass<Team, Losses, 1, 1>{step, gradient}.part();
    if (lane() < step.width) part[lane()] = v * (v * of[0] + b * of[1] - of[2]);
    const float by_a = __shfl_sync(whole_warp, ones, 0), by_one = __shfl_sync(whole_warp, ones, 1);
    const float by_r = __shfl_sync(whole_warp, ones, 2);
    if (lane() == 0) part[step.width] = v * (v * by_a + b * by_one - by_r);
  }
};

}  // namespace accrete::cuda
