#pragma once
// The rows of one step on a team of threads: where they lie, the layers as a pass over them wants them, the forward
// pass, and a row's errors. What is made of them is in project.cuh, register_pass.cuh and list_pass.cuh.

#include "accrete/backend/cuda/choice.cuh"
#include "accrete/backend/cuda/layout.hpp"
#include "accrete/backend/cuda/team.cuh"

namespace accrete::cuda {

/// The scores of a row's outputs with what the loss needs beside them. Softmax always has K of them, so that none is
/// looked up by a number known only later, which would have to be in memory: the classes that are not there get
/// nothing.
template <class Losses, int K>
struct LossRow {
  static constexpr bool all = K == 1 || std::is_same_v<Losses, JointLoss>;
  float targets[K], scores[K];

  __device__ __forceinline__ void set_score(int k, float score, unsigned outputs) {
    scores[k] = k < outputs ? score : -1e30f;
  }
  __device__ loss::Run<float> run(unsigned outputs, const loss::Settings& settings) const {
    return {1, 1, all ? K : outputs, targets, scores, settings};
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

/// J units a step; at most K outputs. Made anew for every pass, of numbers that all threads find in shared memory.
template <class Team, class Losses, int J, int K>
struct StepRows {
  static constexpr unsigned threads = Team::threads, warps = Team::warps;

  const unsigned n = plan().drawn, width = plan().width, outputs = K == 1 ? 1 : plan().outputs;
  const unsigned stride = rows().stride, spread = Team::splits_rows ? rows().spread : 0, activation = plan().activation;
  const float even_weight = work().weight;
  const unsigned* const which = work().which;
  const float* const x = rows().x;
  const float4* const quads = work().features ? nullptr : reinterpret_cast<const float4*>(rows().quads);

  // What a row of the step has: unit by unit, output by output.
  float* const activations = in_memory();
  float* const slopes = activations + J * n;
  float* const errors = slopes + J * n;
  float* const weights = errors + outputs * n;
  float* const goals = weights + n;                 ///< residuals, or targets
  float* const offsets = goals + goal_count() * n;  ///< scores so far

  // In shared memory.
  float* const hidden = in_shared<float>(work().at.hidden);
  const unsigned hidden_rows = static_cast<unsigned>(Team::splits_rows ? tile_width(width) : padded_width(width));
  float* const hidden_bias = hidden + hidden_rows * J;
  float* const output = in_shared<float>(work().at.output);  ///< output by output, then the biases
  unsigned* const columns = in_shared<unsigned>(work().at.columns);
  unsigned* const tile_columns = in_shared<unsigned>(work().at.tile_columns);  ///< every fourth feature side by side

  __device__ unsigned row(unsigned i) const {
    if (!which) return i;
    __builtin_assume(__isGlobal(which));  // but not read-only: later steps are drawn into the same place
    return which[i];
  }
  /// Where a row of the matrix begins, from x on.
  __device__ unsigned place(unsigned row) const { return row + row / tile_rows * tile_rows * spread; }
  __device__ float weight(unsigned i) const { return even_weight > 0.0f ? even_weight : weights[i]; }
  __device__ backend::BlockShape shape() const { return {width, J, outputs}; }
  __device__ unsigned goal_count() const {
    return plan().objective == Objective::direct ? rows().targets_count : outputs;
  }
  __device__ static float* in_memory() {
    if (K > few_outputs && work().at.rows_shared) return in_shared<float>(work().at.step_rows);
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
    for (unsigned f = threadIdx.x; f < padded_width(width); f += threads) {
      const unsigned real = min(f, width - 1);
      columns[f] = (work().features ? work().features[real] : real) * rows().column;
      if (work().at.tile_warps > 0) tile_columns[f % quad * tile_quads + f / quad] = columns[f];
    }
  }
  /// The layers as floats, hidden weights feature by feature.
  __device__ void load_hidden(const double* point) const {
    for (unsigned i = threadIdx.x; i < hidden_rows * J; i += threads) {
      const unsigned f = i / J, j = i % J;
      hidden[i] = f < width ? static_cast<float>(point[j * width + f]) : 0.0f;
    }
    if (threadIdx.x < J) hidden_bias[threadIdx.x] = static_cast<float>(point[shape().hidden_bias_at() + threadIdx.x]);
  }
  __device__ void load_output(const double* layer) const {
    for (unsigned k = threadIdx.x; k < outputs; k += threads) {
#pragma unroll
      for (int j = 0; j < J; ++j) output[k * J + j] = static_cast<float>(layer[j * outputs + k]);
      output[J * outputs + k] = static_cast<float>(layer[J * outputs + k]);
    }
  }

  /// A number for each unit, that lie side by side.
  __device__ __forceinline__ static void load_units(const float* from, float (&to)[J]) {
    if constexpr (J == 4)
      *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
    else
#pragma unroll
      for (int j = 0; j < J; ++j) to[j] = from[j];
  }

  /// Some features of a row, from a multiple of `quad` on; what was there where there are no more.
  template <unsigned some>
  __device__ __forceinline__ void load(unsigned row, unsigned first, float (&to)[some]) const {
    static_assert(some % quad == 0);
    if (quads) {
#pragma unroll
      for (unsigned f = 0; f < some; f += quad)
        if (first + f < width) *reinterpret_cast<float4*>(to + f) = __ldg(quads + ((first + f) / quad * stride + row));
      return;
    }
    const float* from = x + place(row);
    asm("" : "+l"(from));  // or it is added up anew for every feature, in 64 bits
#pragma unroll
    for (unsigned f = 0; f < some; f += quad)
      if (first + f < width) {
        const uint4 at = load_here<uint4>(columns + first + f);
        to[f] = __ldg(from + at.x), to[f + 1] = __ldg(from + at.y);
        to[f + 2] = __ldg(from + at.z), to[f + 3] = __ldg(from + at.w);
      }
  }
  /// A row's sums of its units on their way: several of each where units are few, since an addition waits for the one
  /// before it.
  struct Units {
    static constexpr unsigned chains = J == 1 ? 4 : J == 2 ? 2 : 1;
    float of[J][chains] = {};
  };
  /// += the weights of some features times the features.
  template <unsigned some>
  __device__ __forceinline__ void add(const float (&of)[some], unsigned first, Units& units) const {
#pragma unroll
    for (unsigned f = 0; f < some; f += quad)
      if (first + f < width) {
        float w[quad * J];
#pragma unroll
        for (int i = 0; i < J; ++i)
          *reinterpret_cast<float4*>(w + quad * i) = load_here<float4>(hidden + (first + f) * J + quad * i);
#pragma unroll
        for (unsigned i = 0; i < quad; ++i)
#pragma unroll
          for (int j = 0; j < J; ++j) units.of[j][i % Units::chains] += w[i * J + j] * of[f + i];
      }
  }
  /// The activations of the sums, and of the biases.
  __device__ __forceinline__ void finish(const Units& units, float (&a)[J]) const {
#pragma unroll
    for (int j = 0; j < J; ++j) {
      a[j] = hidden_bias[j];
#pragma unroll
      for (unsigned c = 0; c < Units::chains; ++c) a[j] += units.of[j][c];
    }
    choose_activation(activation, [&](auto formula) {
#pragma unroll
      for (int j = 0; j < J; ++j) a[j] = decltype(formula)::value(a[j]);
    });
  }

  /// Room for features on their way: so many that not much is skipped where a step has few. Made before a loop over
  /// rows: since some are not loaded, the compiler would else keep registers for them from further up.
  struct Scratch {
    static constexpr unsigned some = 16;
    float of[some] = {};
  };

  /// The activations of a row of the matrix, from the loaded hidden layer.
  __device__ __forceinline__ void activate(unsigned row, Scratch& scratch, float (&a)[J]) const {
    Units units;
    for (unsigned first = 0; first < width; first += Scratch::some) {
      load(row, first, scratch.of);
      add(scratch.of, first, units);
    }
    finish(units, a);
  }

  /// Forward over the step's rows, from the hidden layer of the point.
  __device__ void forward(const double* point) const {
    load_hidden(point);
    meet<warps>();
    Scratch scratch;
    for_rows([&](unsigned i, unsigned row) {
      float a[J];
      activate(row, scratch, a);
#pragma unroll
      for (int j = 0; j < J; ++j) activations[j * n + i] = a[j];
    });
    meet<warps>();
  }

  /// What a row is fitted to, read when it is wanted.
  struct Goal {
    const StepRows& step;
    const unsigned i;
    __device__ float weight() const { return step.weight(i); }
    __device__ float target(int t) const { return step.goals[t * step.n + i]; }
    /// On top of an output of the block.
    __device__ float offset(int k, bool of_loss) const {
      return of_loss ? step.offsets[k * step.n + i] : -step.goals[k * step.n + i];
    }
  };
  __device__ __forceinline__ double find_error(unsigned i, bool of_loss, const float (&a)[J], float (&e)[K],
                                               float (&slope)[J]) const {
    return find_error(Goal{*this, i}, of_loss, a, e, slope);
  }

  /// Weighted errors of a row's outputs and, by the row's units, of the hidden layer's sums, from its activations and
  /// the loaded output layer; the row's part of the value.
  template <class RowGoal>
  __device__ __forceinline__ double find_error(const RowGoal& goal, bool of_loss, const float (&a)[J], float (&e)[K],
                                               float (&slope)[J]) const {
    const float w = goal.weight();
    LossRow<Losses, K> of;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      float h = 0.0f;
      if (k < outputs) {
        h = output[J * outputs + k];
        float w[J];
        load_units(output + k * J, w);
#pragma unroll
        for (int j = 0; j < J; ++j) h += a[j] * w[j];
        h += goal.offset(k, of_loss);
      }
      of.set_score(k, h, outputs);
      e[k] = h;
    }
    float value = 0.0f;
    if (of_loss) {
#pragma unroll
      for (int t = 0; t < K; ++t)
        if (t < rows().targets_count) of.targets[t] = goal.target(t);
      Losses::choose(plan().loss,
                     [&](auto l) { decltype(l)::values_and_derivatives(of.run(outputs, plan().settings), &value, e); });
    } else {
#pragma unroll
      for (int k = 0; k < K; ++k)
        if (k < outputs) value += 0.5f * e[k] * e[k];
    }
#pragma unroll
    for (int j = 0; j < J; ++j) slope[j] = 0.0f;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (k >= outputs) break;
      e[k] *= w;
      float by[J];
      load_units(output + k * J, by);
#pragma unroll
      for (int j = 0; j < J; ++j) slope[j] += e[k] * by[j];
    }
    choose_activation(activation, [&](auto formula) {
#pragma unroll
      for (int j = 0; j < J; ++j) slope[j] *= decltype(formula)::slope(a[j]);
    });
    return double(w) * value;
  }
};

}  // namespace accrete::cuda
