#pragma once
// The rows of one step on a team of threads: where they lie, and what the loss is told of one of them. How they are
// gone through is in step_rows.cuh and, where units and outputs are many, general_rows.cuh.

#include "accrete/backend/cuda/choice.cuh"
#include "accrete/backend/cuda/layout.hpp"
#include "accrete/backend/cuda/numbers.cuh"
#include "accrete/backend/cuda/team.cuh"

namespace accrete::cuda {

/// Of a class that is not there: what softmax gives it is zero.
constexpr float absent_score = -1e30f;

/// The scores of a row's outputs with what the loss needs beside them. Softmax always has K of them, so that none is
/// looked up by a number known only later, which would have to be in memory: the classes that are not there get
/// nothing. Where they are in memory anyway, it has those that are there.
template <class Losses, int K>
struct LossRow {
  static constexpr bool all = K == 1 || std::is_same_v<Losses, JointLoss>;
  Numbers<float, K> targets{Slot::targets}, scores{Slot::scores};

  __device__ __forceinline__ void set_score(int k, float score, unsigned outputs) {
    scores[k] = k < outputs ? score : absent_score;
  }
  __device__ loss::Run<float> run(unsigned outputs, const loss::Settings& settings) const {
    return {1, scores.stride, all ? K : outputs, targets.data(), scores.data(), settings};
  }
};

/// Half the penalty's factor times the sum of squared weights; biases are free. This thread's part.
template <class Team>
__device__ double penalty_value(const double* point, unsigned hidden, const double* layer, unsigned output) {
  if (!Team::leads()) return 0.0;
  double squares = 0.0;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < hidden; i += Team::threads) squares += point[i] * point[i];
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < output; i += Team::threads) squares += layer[i] * layer[i];
  return 0.5 * work().penalty * squares;
}

/// J units a step, K outputs; 0: as many as the plan says. Made anew for every pass, of numbers that all threads find
/// in shared memory.
template <class Team, int J, int K>
struct StepLists {
  static constexpr unsigned threads = Team::threads, warps = Team::warps;
  static constexpr bool general = J == 0;

  __device__ static unsigned units() { return J > 0 ? J : plan().units; }

  const unsigned n = plan().drawn, width = plan().width, outputs = K == 1 ? 1 : plan().outputs;
  const unsigned stride = rows().stride, spread = Team::splits_rows ? rows().spread : 0, activation = plan().activation;
  const float even_weight = work().weight;
  const unsigned* const which = work().which;
  const float* const x = rows().x;

  // What a row of the step has: unit by unit, output by output.
  float* const activations = in_memory();
  float* const slopes = activations + units() * n;
  float* const errors = slopes + units() * n;
  float* const weights = errors + outputs * n;
  float* const goals = weights + n;                 ///< residuals, or targets
  float* const offsets = goals + goal_count() * n;  ///< scores so far, where the loss itself is minimised

  float* const hidden = in_block<float, general>(work().at.hidden);
  float* const output = in_block<float, general>(work().at.output);
  unsigned* const columns = in_block<unsigned, general>(work().at.columns);
  unsigned* const tile_columns = in_shared<unsigned>(work().at.tile_columns);  ///< every fourth feature side by side

  __device__ unsigned row(unsigned i) const {
    if (!which) return i;
    __builtin_assume(__isGlobal(which));  // but not read-only: later steps are drawn into the same place
    return which[i];
  }
  /// Where a row of the matrix begins, from x on.
  __device__ unsigned place(unsigned row) const { return row + row / tile_rows * tile_rows * spread; }
  __device__ float weight(unsigned i) const { return even_weight > 0.0f ? even_weight : weights[i]; }
  __device__ backend::BlockShape shape() const { return {width, units(), outputs}; }
  __device__ unsigned goal_count() const {
    return plan().objective == Objective::direct ? rows().targets_count : outputs;
  }
  /// The last lists together, of what a row is fitted to: weight, goals, offsets.
  static constexpr unsigned most_lists = 1 + 2 * K;
  __device__ unsigned list_count() const {
    return 1 + goal_count() + (plan().objective == Objective::direct ? outputs : 0);
  }
  __device__ static float* in_memory() {
    if (!Team::splits_rows && K > few_outputs && work().at.rows_shared) return in_shared<float>(work().at.step_rows);
    return in_global<float>(work().at.step_rows);
  }

  /// f(i, the i-th drawn row) for this thread's share of the step's rows. A row's number is on its way while the one
  /// before is worked on.
  template <class F>
  __device__ __forceinline__ void for_rows(F f) const {
    const Run mine = Team::share(n);
    unsigned i = mine.from + threadIdx.x;
    if (i >= mine.to) return;
    unsigned next = row(i);
    do {
      const unsigned at = next, now = i;
      i += threads;
      if (i < mine.to) next = row(i);
      f(now, at);
    } while (i < mine.to);
  }

  /// Where the step's features begin; for those that fill the last quad up, where the last one does.
  __device__ void load_columns() const {
    for (unsigned f = threadIdx.x; f < padded(width); f += threads) {
      const unsigned real = min(f, width - 1);
      columns[f] = (work().features ? work().features[real] : real) * rows().column;
      if (work().at.tile_warps > 0) tile_columns[f % quad * tile_quads + f / quad] = columns[f];
    }
  }
  __device__ void load_output(const double* layer) const {
    for (unsigned i = threadIdx.x; i < (units() + 1) * outputs; i += threads) output[i] = static_cast<float>(layer[i]);
  }
};

}  // namespace accrete::cuda
