#pragma once
// The rows of one step with any number of units and outputs: what a row has is listed in memory, and layers are gone
// through four units or four outputs at a time, which is as much as a thread has registers for.

#include "accrete/backend/cuda/step_lists.cuh"

namespace accrete::cuda {

template <class Team, class Losses>
struct GeneralRows : StepLists<Team, 0, 0> {
  using Lists = StepLists<Team, 0, 0>;
  using Lists::activation, Lists::activations, Lists::columns, Lists::errors, Lists::goals, Lists::hidden, Lists::n,
      Lists::offsets, Lists::output, Lists::outputs, Lists::shape, Lists::slopes, Lists::threads, Lists::units,
      Lists::warps, Lists::width, Lists::x;
  using InMemory = Numbers<float, 0>;

  struct Scratch {};  ///< as of StepRows, which has features there

  float* const hidden_bias = hidden + padded(units()) * width;

  /// The hidden layer as floats: by four units, feature by feature, the last ones filled up with zeros.
  __device__ void load_hidden(const double* point) const {
    const unsigned all = padded(units()), bias_at = static_cast<unsigned>(shape().hidden_bias_at());
    for (unsigned j = 0; j < all; ++j)
      for (unsigned f = threadIdx.x; f < width; f += threads)
        hidden[(j / quad * width + f) * quad + j % quad] =
            j < units() ? static_cast<float>(point[j * width + f]) : 0.0f;
    for (unsigned j = threadIdx.x; j < all; j += threads)
      hidden_bias[j] = j < units() ? static_cast<float>(point[bias_at + j]) : 0.0f;
  }

  /// The activations of a row of the matrix, from the loaded hidden layer.
  __device__ void activate(unsigned row, const InMemory& a) const {
    for (unsigned first = 0; first < units(); first += quad) {
      const float *weights = hidden + first * width, *from = x + Lists::place(row);
      float sum[quad];
#pragma unroll
      for (unsigned u = 0; u < quad; ++u) sum[u] = hidden_bias[first + u];
#pragma unroll 4
      for (unsigned f = 0; f < width; ++f) {
        const float feature = __ldg(from + columns[f]);
        const float4 w = *reinterpret_cast<const float4*>(weights + f * quad);
        sum[0] += w.x * feature, sum[1] += w.y * feature, sum[2] += w.z * feature, sum[3] += w.w * feature;
      }
      choose_activation(activation, [&](auto formula) {
#pragma unroll
        for (unsigned u = 0; u < quad; ++u)
          if (first + u < units()) a[first + u] = decltype(formula)::value(sum[u]);
      });
    }
  }

  /// put(k, output k) of the loaded output layer, from a row's activations.
  template <class Put>
  __device__ __forceinline__ void combine(const InMemory& a, Put put) const {
    for (unsigned first = 0; first < outputs; first += quad) {
      const unsigned last = outputs - 1;
      float sum[quad];
#pragma unroll
      for (unsigned u = 0; u < quad; ++u) sum[u] = output[units() * outputs + min(first + u, last)];
      for (unsigned j = 0; j < units(); ++j) {
        const float activated = a[j];
#pragma unroll
        for (unsigned u = 0; u < quad; ++u) sum[u] += activated * output[j * outputs + min(first + u, last)];
      }
#pragma unroll
      for (unsigned u = 0; u < quad; ++u)
        if (first + u < outputs) put(first + u, sum[u]);
    }
  }

  /// put(k, output k of a row of the matrix), from the loaded layers.
  template <class Put>
  __device__ void predict(unsigned row, Scratch&, Put put) const {
    const InMemory a(Slot::activations);
    activate(row, a);
    combine(a, put);
  }

  /// Forward over the step's rows, from the hidden layer of the point.
  __device__ void forward(const double* point) const {
    load_hidden(point);
    meet<warps>();
    Lists::for_rows([&](unsigned i, unsigned row) { activate(row, {activations + i, n}); });
    meet<warps>();
  }

  /// Lists weighted errors of a row's outputs and, by the row's units, of the hidden layer's sums, from its activations
  /// and the loaded output layer; the row's part of the value.
  __device__ double list_errors(unsigned i, bool of_loss) const {
    const float w = Lists::weight(i);
    const InMemory a(activations + i, n), e(errors + i, n);
    float value = 0.0f;
    if (of_loss) {
      LossRow<Losses, 0> of;
      const InMemory derivatives(Slot::derivatives);
      combine(a, [&](unsigned k, float h) { of.scores[k] = h + offsets[k * n + i]; });
      for (unsigned t = 0; t < rows().targets_count; ++t) of.targets[t] = goals[t * n + i];
      Losses::choose(plan().loss, [&](auto l) {
        decltype(l)::values_and_derivatives(of.run(outputs, plan().settings), &value, derivatives.data());
      });
      for (unsigned k = 0; k < outputs; ++k) e[k] = w * derivatives[k];
    } else {
      combine(a, [&](unsigned k, float h) {
        h -= goals[k * n + i];
        value += 0.5f * h * h;
        e[k] = w * h;
      });
    }
    list_slopes(a, e, {slopes + i, n});
    return double(w) * value;
  }

 private:
  __device__ void list_slopes(const InMemory& a, const InMemory& e, const InMemory& slope) const {
    for (unsigned first = 0; first < units(); first += quad) {
      const unsigned last = units() - 1;
      float sum[quad] = {};
      for (unsigned k = 0; k < outputs; ++k) {
        const float error = e[k];
#pragma unroll
        for (unsigned u = 0; u < quad; ++u) sum[u] += error * output[min(first + u, last) * outputs + k];
      }
      choose_activation(activation, [&](auto formula) {
#pragma unroll
        for (unsigned u = 0; u < quad; ++u)
          if (first + u < units()) slope[first + u] = sum[u] * decltype(formula)::slope(a[first + u]);
      });
    }
  }
};

}  // namespace accrete::cuda
