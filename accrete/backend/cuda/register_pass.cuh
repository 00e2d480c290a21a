#pragma once
// Value and gradient of a step's objective: each thread takes one row at a time and keeps the row's features and its
// own sums over rows in registers, so that forward and backward pass read a row once. At the end the threads of a warp
// add their sums.
//
// If a step has more features than fit into registers, deltas are stored and the rows are read again for the features
// that did not fit. A second instance of the template, with fewer registers for features, handles steps with few.

#include <algorithm>
#include <bit>

#include "accrete/backend/cuda/fixed_rows.cuh"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K, unsigned features = (J <= 2 ? 32 : 16)>
struct RegisterPass {
  using Step = FixedRows<Team, Losses, J, K>;
  static constexpr unsigned threads = Team::threads, warps = Team::warps;
  static constexpr unsigned narrow_features = 16;

  const Step& step;
  double* gradient;

  /// Writes the block's gradient, including the penalty; returns this thread's contribution to the value, without the
  /// penalty. The output layer must be loaded, as must the hidden layer (projected: the activations).
  __device__ double evaluate(const double* point, backend::StepObjective objective) const {
    if constexpr (features > narrow_features)
      if (step.width <= narrow_features)
        return RegisterPass<Team, Losses, J, K, narrow_features>{step, gradient}.evaluate(point, objective);
    const bool projected = objective == backend::StepObjective::projected;
    const double value = add_rows(objective == backend::StepObjective::loss, projected);
    sync_block<warps>();
    add_warps(point, static_cast<unsigned>(projected ? step.shape().hidden_size() : step.shape().size()));
    return value;
  }

  /// This warp's gradient, in parameter order.
  __device__ float* warp_gradient() const {
    return warp_gradients() + warp() * static_cast<unsigned>(step.shape().size());
  }

  /// Stores this warp's sums of the hidden biases and the output layer, one per lane at a time.
  template <unsigned first = 0>
  __device__ void store(const float (&bias)[J], const float (&output)[(J + 1) * K]) const {
    constexpr unsigned all = J + (J + 1) * K, count = std::min(std::bit_ceil(all - first), warp_lanes);
    float sums[count] = {};
#pragma unroll
    for (int i = first; i < all && i < first + count; ++i) sums[i - first] = i < J ? bias[i] : output[i - J];
    const float sum = warp_sums<int(count)>(sums);
    const unsigned i = first + lane(), at = i - J, j = at / K, k = at % K, outputs = step.outputs;
    float* to = warp_gradient() + step.shape().hidden_bias_at();
    if (lane() < count && i < J)
      to[i] = sum;
    else if (lane() < count && i < all && k < outputs)
      to[J + j * outputs + k] = sum;
    if constexpr (first + count < all) store<first + count>(bias, output);
  }

  /// Writes the first `size` elements of the gradient: the sums of all warps plus the penalty.
  __device__ void add_warps(const double* point, unsigned size) const {
    const auto shape = step.shape();
    const unsigned stride = static_cast<unsigned>(shape.size());
    for (unsigned i = threadIdx.x; i < size; i += threads) {
      double sum = 0.0;
      for (unsigned w = 0; w < warps; ++w) sum += warp_gradients()[w * stride + i];
      const bool is_bias =
          (i >= shape.hidden_bias_at() && i < shape.output_weights_at()) || i >= shape.output_bias_at();
      if (!is_bias && Team::is_first_block()) sum += state().penalty * point[i];
      gradient[i] = sum;
    }
  }

 private:
  /// Sums over rows that make up the gradient of the hidden weights.
  struct HiddenSums {
    float values[J][features] = {};
  };

  __device__ static float* warp_gradients() {
    if (warps == 1 || layout().gradients_shared) return in_shared<float>(layout().warp_gradients);
    return in_block_memory<float>(layout().warp_gradients);
  }

  /// Adds all rows. stored: the activations are in memory.
  __device__ double add_rows(bool of_loss, bool stored) const {
    HiddenSums sums;
    float x[features] = {}, bias[J] = {}, output[(J + 1) * K] = {};
    double value = 0.0;
    step.for_rows([&](unsigned i, unsigned row) {
      float a[J], e[K], slope[J];
      step.load(row, 0, x);
      if (stored)
        step.load_units(step.activations, i, a);
      else
        forward_row(row, x, a);
      value += step.compute_error(typename Step::RowTarget{step, i}, of_loss, a, e, slope);
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
      if (step.width > features) step.store_units(step.deltas, i, slope);
    });
    store(sums, 0);
    store(bias, output);
    for (unsigned first = features; first < step.width; first += features) add_features(first);
    return value;
  }

  /// Rereads the rows for features from `first` on.
  __device__ void add_features(unsigned first) const {
    HiddenSums sums;
    float x[features] = {};
    step.for_rows([&](unsigned i, unsigned row) {
      float slope[J];
      step.load(row, first, x);
      step.load_units(step.deltas, i, slope);
      add(slope, first, x, sums);
    });
    store(sums, first);
  }

  __device__ __forceinline__ void forward_row(unsigned row, const float (&x)[features], float (&a)[J]) const {
    typename Step::UnitSums sums;
    step.add(x, 0, sums);
    for (unsigned first = features; first < step.width; first += quad) {
      float more[quad] = {};
      step.load(row, first, more);
      step.add(more, first, sums);
    }
    step.activate(sums, a);
  }

  __device__ __forceinline__ void add(const float (&slope)[J], unsigned first, const float (&x)[features],
                                      HiddenSums& sums) const {
#pragma unroll
    for (unsigned f = 0; f < features; f += quad)
      if (first + f < step.width)
#pragma unroll
        for (unsigned i = f; i < f + quad; ++i)
#pragma unroll
          for (int j = 0; j < J; ++j) sums.values[j][i] += slope[j] * x[i];
  }

  __device__ void store(HiddenSums& sums, unsigned first) const {
    const unsigned f = lane() % features, width = step.width;
#pragma unroll
    for (int j = 0; j < J; ++j) {
      const float sum = warp_sums<features>(sums.values[j]);
      if (lane() < features && first + f < width) warp_gradient()[j * width + first + f] = sum;
    }
  }
};

}  // namespace accrete::cuda
