#pragma once
// The rows of one step where units and outputs are known when a kernel is compiled: the layers as a pass over the rows
// wants them, the forward pass, and a row's errors. What is made of them is in project.cuh, register_pass.cuh and
// list_pass.cuh.

#include "accrete/backend/cuda/step_lists.cuh"

namespace accrete::cuda {

/// J units a step; at most K outputs.
template <class Team, class Losses, int J, int K>
struct StepRows : StepLists<Team, J, K> {
  using Lists = StepLists<Team, J, K>;
  using Lists::activation, Lists::activations, Lists::columns, Lists::goals, Lists::hidden, Lists::n, Lists::offsets,
      Lists::output, Lists::outputs, Lists::shape, Lists::stride, Lists::threads, Lists::warps, Lists::weight,
      Lists::width, Lists::x;

  /// Whether classes that are not there are gone through like the others, with weights of zero and a bias that leaves
  /// nothing to them: to ask for each of them takes longer where a row has a lane to itself.
  static constexpr bool filled = Team::splits_rows && std::is_same_v<Losses, JointLoss>;
  __device__ bool there(int k) const { return filled || k < outputs; }
  __device__ unsigned columns_of_output() const { return filled ? K : outputs; }

  const float4* const quads = work().features ? nullptr : reinterpret_cast<const float4*>(rows().quads);
  const unsigned hidden_rows = static_cast<unsigned>(hidden_width(width));
  float* const hidden_bias = hidden + hidden_rows * J;

  /// The layers as floats, hidden weights feature by feature.
  __device__ void load_hidden(const double* point) const {
    for (unsigned i = threadIdx.x; i < hidden_rows * J; i += threads) {
      const unsigned f = i / J, j = i % J;
      hidden[i] = f < width ? static_cast<float>(point[j * width + f]) : 0.0f;
    }
    if (threadIdx.x < J) hidden_bias[threadIdx.x] = static_cast<float>(point[shape().hidden_bias_at() + threadIdx.x]);
  }
  __device__ void load_output(const double* layer) const {
    const float nothing = plan().objective == Objective::direct ? absent_score : 0.0f;
    for (unsigned k = threadIdx.x; k < columns_of_output(); k += threads) {
#pragma unroll
      for (int j = 0; j < J; ++j) output[k * J + j] = k < outputs ? static_cast<float>(layer[j * outputs + k]) : 0.0f;
      output[J * columns_of_output() + k] = k < outputs ? static_cast<float>(layer[J * outputs + k]) : nothing;
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
    const float* from = x + Lists::place(row);
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
  /// += the weights of some features times the features. Of few units the weights of several quads are on their way
  /// together; those of features that are not there are zeros.
  template <unsigned some>
  __device__ __forceinline__ void add(const float (&of)[some], unsigned first, Units& units) const {
    constexpr unsigned several = J == 1 ? 4 * quad : J == 2 ? 2 * quad : quad;
    constexpr unsigned together = some % several == 0 ? several : quad;
#pragma unroll
    for (unsigned f = 0; f < some; f += together)
      if (first + f < width) {
        float w[together * J];
#pragma unroll
        for (int i = 0; i < together / quad * J; ++i)
          *reinterpret_cast<float4*>(w + quad * i) = load_here<float4>(hidden + (first + f) * J + quad * i);
#pragma unroll
        for (unsigned i = 0; i < together; ++i)
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

  /// Room for features on their way: so many that not much is skipped where a step has few, and more where few threads
  /// are to keep the memory busy. Made before a loop over rows: since some are not loaded, the compiler would else keep
  /// registers for them from further up.
  struct Scratch {
    static constexpr unsigned some = Team::splits_rows ? 32 : 16;
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

  /// put(k, output k of a row of the matrix), from the loaded layers.
  template <class Put>
  __device__ __forceinline__ void predict(unsigned row, Scratch& scratch, Put put) const {
    float a[J];
    activate(row, scratch, a);
    for (unsigned k = 0; k < outputs; ++k) {
      float h = output[J * columns_of_output() + k];
      for (int j = 0; j < J; ++j) h += a[j] * output[k * J + j];
      put(k, h);
    }
  }

  /// Forward over the step's rows, from the hidden layer of the point.
  __device__ void forward(const double* point) const {
    load_hidden(point);
    meet<warps>();
    Scratch scratch;
    Lists::for_rows([&](unsigned i, unsigned row) {
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
      if (k >= step.outputs) return 0.0f;
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
      if (there(k)) {
        h = output[J * columns_of_output() + k];
        float w[J];
        load_units(output + k * J, w);
#pragma unroll
        for (int j = 0; j < J; ++j) h += a[j] * w[j];
        h += goal.offset(k, of_loss);
      }
      of.set_score(k, h, columns_of_output());
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
        if (there(k)) value += 0.5f * e[k] * e[k];
    }
#pragma unroll
    for (int j = 0; j < J; ++j) slope[j] = 0.0f;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (!there(k)) break;
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
