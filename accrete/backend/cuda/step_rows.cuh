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

  const float4* const quads = work().features ? nullptr : reinterpret_cast<const float4*>(rows().quads);
  float* const hidden_bias = hidden + hidden_width(width) * J;

  /// The hidden layer as floats, weights feature by feature.
  __device__ void load_hidden(const double* point) const {
    for (int j = 0; j < J; ++j)
      for (unsigned f = threadIdx.x; f < hidden_width(width); f += threads)
        hidden[f * J + j] = f < width ? static_cast<float>(point[j * width + f]) : 0.0f;
    if (threadIdx.x < J) hidden_bias[threadIdx.x] = static_cast<float>(point[shape().hidden_bias_at() + threadIdx.x]);
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
    const float* from = x + row;
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

  /// put(k, output k of a row of the matrix), from the loaded layers.
  template <class Put>
  __device__ __forceinline__ void predict(unsigned row, Scratch& scratch, Put put) const {
    float a[J];
    activate(row, scratch, a);
    for (unsigned k = 0; k < outputs; ++k) {
      float h = output[J * outputs + k];
      for (int j = 0; j < J; ++j) h += a[j] * output[j * outputs + k];
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

  /// Weighted errors of a row's outputs and, by the row's units, of the hidden layer's sums, from its activations and
  /// the loaded output layer; the row's part of the value.
  __device__ __forceinline__ double find_error(unsigned i, bool of_loss, const float (&a)[J], float (&e)[K],
                                               float (&slope)[J]) const {
    const float w = weight(i);
    LossRow<Losses, K> of;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      float h = 0.0f;
      if (k < outputs) {
        h = output[J * outputs + k];
#pragma unroll
        for (int j = 0; j < J; ++j) h += a[j] * output[j * outputs + k];
        h += of_loss ? offsets[k * n + i] : -goals[k * n + i];
      }
      of.set_score(k, h, outputs);
      e[k] = h;
    }
    float value = 0.0f;
    if (of_loss) {
#pragma unroll
      for (int t = 0; t < K; ++t)
        if (t < rows().targets_count) of.targets[t] = goals[t * n + i];
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
#pragma unroll
      for (int j = 0; j < J; ++j) slope[j] += e[k] * output[j * outputs + k];
    }
    choose_activation(activation, [&](auto formula) {
#pragma unroll
      for (int j = 0; j < J; ++j) slope[j] *= decltype(formula)::slope(a[j]);
    });
    return double(w) * value;
  }
};

}  // namespace accrete::cuda
