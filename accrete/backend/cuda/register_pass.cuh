#pragma once
// Value and gradient of a step's objective, with a row to a thread: its features, and the thread's part of the sums
// over rows, are in registers, so that a row is read once on the way forward and back. Warps join their sums at the
// end.
//
// Where the features are more than that, the first of them go this way; the slopes by the hidden units' sums are kept,
// and for the others the rows are gone through again. Where they are half as many or fewer, a narrower pass does it,
// which has less to skip.

#include <algorithm>
#include <bit>

#include "accrete/backend/cuda/step_rows.cuh"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K, unsigned most = (J <= 2 ? 32 : 16)>
struct RegisterPass {
  static constexpr unsigned threads = Team::threads, warps = Team::warps;
  static constexpr unsigned some = most, narrow = 16;  ///< features at a time

  const StepRows<Team, Losses, J, K>& step;
  double* gradient;

  /// The sums over rows of each gradient's terms, by feature and unit.
  struct HiddenSums {
    float of[J][some] = {};
  };

  /// The sums of each warp, side by side in the order of parameters.
  __device__ static float* parts() {
    if (warps == 1 || work().at.parts_shared) return in_shared<float>(work().at.parts);
    return in_own<float>(work().at.parts);
  }
  __device__ float* part() const { return parts() + warp() * static_cast<unsigned>(step.shape().size()); }

  /// Errors and the first features' sums; this thread's part of the value.
  /// kept: the activations are there already.
  __device__ double run(bool of_loss, bool kept) const {
    HiddenSums sums;
    float x[some] = {}, bias[J] = {}, output[(J + 1) * K] = {};
    double value = 0.0;
    const unsigned n = step.n;
    step.for_rows([&](unsigned i, unsigned row) {
      float a[J], e[K], slope[J];
      step.load(row, 0, x);
      if (kept)
        for (int j = 0; j < J; ++j) a[j] = step.activations[j * n + i];
      else
        go_forward(row, x, a);
      value += step.find_error(i, of_loss, a, e, slope);
      add(slope, 0, x, sums);
#pragma unroll
      for (int j = 0; j < J; ++j) bias[j] += slope[j];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        if (k >= step.outputs) break;
#pragma unroll
        for (int j = 0; j < J; ++j) output[j * K + k] += e[k] * a[j];
        output[J * K + k] += e[k];
      }
      if (step.width > some)
        for (int j = 0; j < J; ++j) step.slopes[j * n + i] = slope[j];
    });
    hand_over(sums, 0);
    hand_over(bias, output);
    for (unsigned first = some; first < step.width; first += some) run_again(first);
    return value;
  }

  /// The sums of further features.
  __device__ void run_again(unsigned first) const {
    HiddenSums sums;
    float x[some] = {};
    const unsigned n = step.n;
    step.for_rows([&](unsigned i, unsigned row) {
      float slope[J];
      step.load(row, first, x);
      for (int j = 0; j < J; ++j) slope[j] = step.slopes[j * n + i];
      add(slope, first, x, sums);
    });
    hand_over(sums, first);
  }

  __device__ __forceinline__ void go_forward(unsigned row, const float (&x)[some], float (&a)[J]) const {
    typename StepRows<Team, Losses, J, K>::Units units;
    step.add(x, 0, units);
    for (unsigned first = some; first < step.width; first += quad) {
      float more[quad] = {};
      step.load(row, first, more);
      step.add(more, first, units);
    }
    step.finish(units, a);
  }

  __device__ __forceinline__ void add(const float (&slope)[J], unsigned first, const float (&x)[some],
                                      HiddenSums& sums) const {
#pragma unroll
    for (unsigned f = 0; f < some; f += quad)
      if (first + f < step.width)
#pragma unroll
        for (unsigned i = f; i < f + quad; ++i)
#pragma unroll
          for (int j = 0; j < J; ++j) sums.of[j][i] += slope[j] * x[i];
  }

  /// This warp's sums, in the order of parameters.
  __device__ void hand_over(HiddenSums& sums, unsigned first) const {
    const unsigned f = lane() % some, width = step.width;
#pragma unroll
    for (int j = 0; j < J; ++j) {
      const float sum = warp_sums<some>(sums.of[j]);
      if (lane() < some && first + f < width) part()[j * width + first + f] = sum;
    }
  }
  /// As many at once as there are lanes.
  template <unsigned first = 0>
  __device__ void hand_over(const float (&bias)[J], const float (&output)[(J + 1) * K]) const {
    constexpr unsigned all = J + (J + 1) * K, count = std::min(std::bit_ceil(all - first), warp_lanes);
    float sums[count] = {};
#pragma unroll
    for (int i = first; i < all && i < first + count; ++i) sums[i - first] = i < J ? bias[i] : output[i - J];
    const float sum = warp_sums<int(count)>(sums);
    const unsigned i = first + lane(), at = i - J, j = at / K, k = at % K, outputs = step.outputs;
    float* to = part() + step.shape().hidden_bias_at();
    if (lane() < count && i < J)
      to[i] = sum;
    else if (lane() < count && i < all && k < outputs)
      to[J + j * outputs + k] = sum;
    if constexpr (first + count < all) hand_over<first + count>(bias, output);
  }

  /// The first `size` numbers of the gradient: all warps' sums, and the penalty's part.
  __device__ void finish(const double* point, unsigned size) const {
    const auto shape = step.shape();
    const unsigned each = static_cast<unsigned>(shape.size());
    for (unsigned i = threadIdx.x; i < size; i += threads) {
      double sum = 0.0;
      for (unsigned w = 0; w < warps; ++w) sum += parts()[w * each + i];
      const bool is_bias =
          (i >= shape.hidden_bias_at() && i < shape.output_weights_at()) || i >= shape.output_bias_at();
      if (!is_bias && Team::leads()) sum += work().penalty * point[i];
      gradient[i] = sum;
    }
  }

  /// All of it, at a point whose output layer, and hidden layer or activations, are loaded; this thread's part of the
  /// value.
  __device__ double evaluate(const double* point, backend::Fit fit) const {
    if constexpr (some > narrow)
      if (step.width <= narrow) return RegisterPass<Team, Losses, J, K, narrow>{step, gradient}.evaluate(point, fit);
    const bool projected = fit == backend::Fit::projected;
    const double value = run(fit == backend::Fit::loss, projected);
    meet<warps>();
    finish(point, static_cast<unsigned>(projected ? step.shape().hidden_size() : step.shape().size()));
    return value;
  }
};

}  // namespace accrete::cuda
