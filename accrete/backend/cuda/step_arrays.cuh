#pragma once
// The data of a step: where the arrays of its rows, its layers and its feature offsets are in memory (the base of
// FixedRows and GeneralRows); also a row's inputs to a loss formula, and the penalty.

#include "accrete/backend/cuda/dispatch.cuh"
#include "accrete/backend/cuda/team.cuh"

namespace accrete::cuda {

/// Score of a padding class: its softmax is 0.
constexpr float padding_score = -1e30f;

/// Targets and scores of a row. Softmax in registers always has K scores, padded with padding_score: a loop bound known
/// only at run time would move the array to local memory.
template <class Losses, int K>
struct LossRow {
  static constexpr bool padded = K == 1 || (K > 0 && std::is_same_v<Losses, SoftmaxLoss>);
  ThreadArray<float, K> targets{ThreadArrayId::targets}, scores{ThreadArrayId::scores};

  __device__ __forceinline__ void set_score(int k, float score, unsigned outputs) {
    scores[k] = k < outputs ? score : padding_score;
  }
  __device__ loss::LossRows<float> loss_rows(unsigned outputs) const {
    return {1, scores.stride, padded ? K : outputs, targets.data(), scores.data(), plan().loss_settings};
  }
};

/// This thread's contribution to the penalty: half of state().penalty times the sum of squared weights, without biases.
template <class Team>
__device__ double penalty_value(const double* point, unsigned hidden, const double* layer, unsigned output) {
  if (!Team::is_first_block()) return 0.0;
  double squares = 0.0;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < hidden; i += Team::threads) squares += point[i] * point[i];
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < output; i += Team::threads) squares += layer[i] * layer[i];
  return 0.5 * state().penalty * squares;
}

/// The arrays of a step with J units and at most K outputs; 0 means any number. Holds only pointers and sizes, which
/// every pass recomputes from shared memory, so that they occupy no registers between passes.
template <class Team, int J, int K>
struct StepArrays {
  static constexpr unsigned threads = Team::threads, warps = Team::warps;
  static constexpr unsigned max_outputs = K;
  static constexpr bool general = J == 0;

  __device__ static unsigned units() { return J > 0 ? J : plan().units; }

  const unsigned n = plan().drawn_rows, width = plan().width, outputs = K == 1 ? 1 : plan().outputs;
  const unsigned row_stride = rows().row_stride, tile_skip = Team::is_grid ? rows().tile_skip : 0;
  const unsigned activation = plan().activation;
  const float equal_weight = state().equal_weight;
  const unsigned* const drawn_rows = state().drawn_rows;
  const float* const x = rows().x;

  // Arrays of the step's rows, by unit and by output. Tiles copy the last three, which are contiguous.
  float* const activations = in_fit_memory<float>(layout().step_arrays);
  float* const deltas = activations + units() * n;  ///< derivatives with respect to the hidden sums
  float* const errors = deltas + units() * n;       ///< derivatives with respect to the outputs
  float* const weights = errors + outputs * n;
  float* const targets = weights + n;                   ///< residuals, or the targets of a direct step
  float* const offsets = targets + target_count() * n;  ///< current scores, in a direct step

  float* const hidden = step_vector<float, general>(layout().hidden);
  float* const output = step_vector<float, general>(layout().output);
  unsigned* const columns = step_vector<unsigned, general>(layout().columns);

  /// Matrix row of row i of the step.
  __device__ unsigned row(unsigned i) const {
    if (!drawn_rows) return i;
    __builtin_assume(__isGlobal(drawn_rows));  // not read-only: later steps are drawn into the same memory
    return drawn_rows[i];
  }
  /// Offset from x of a matrix row.
  __device__ unsigned row_offset(unsigned row) const { return row + row / tile_rows * tile_rows * tile_skip; }
  __device__ float weight(unsigned i) const { return equal_weight > 0.0f ? equal_weight : weights[i]; }
  __device__ backend::BlockShape shape() const { return {width, units(), outputs}; }
  __device__ unsigned target_count() const {
    return plan().objective == Objective::direct ? rows().target_count : outputs;
  }

  /// Calls f(i, matrix row) for this thread's rows of the step; prefetches the next row index.
  template <class F>
  __device__ __forceinline__ void for_rows(F f) const {
    const RowRange range = Team::row_range(n);
    unsigned i = range.first + threadIdx.x;
    if (i >= range.end) return;
    unsigned next = row(i);
    do {
      const unsigned current = next, now = i;
      i += threads;
      if (i < range.end) next = row(i);
      f(now, current);
    } while (i < range.end);
  }

  /// Loads the offsets of the step's features; the last quad is padded with the last feature.
  __device__ void load_columns() const {
    for (unsigned f = threadIdx.x; f < pad_to_quad(width); f += threads) {
      const unsigned feature = min(f, width - 1);
      columns[f] = (state().drawn_features ? state().drawn_features[feature] : feature) * rows().column_stride;
    }
  }
  __device__ void load_output(const double* layer) const {
    for (unsigned i = threadIdx.x; i < (units() + 1) * outputs; i += threads) output[i] = static_cast<float>(layer[i]);
  }
};

}  // namespace accrete::cuda
