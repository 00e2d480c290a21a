#pragma once
// The rows of a step with any number of units and outputs: a row's values are in global memory, and layers are computed
// for four units or four outputs at a time, as many as fit into registers.

#include "accrete/backend/cuda/step_arrays.cuh"

namespace accrete::cuda {

template <class Team, class Losses>
struct GeneralRows : StepArrays<Team, 0, 0> {
  using Arrays = StepArrays<Team, 0, 0>;
  using Arrays::activation, Arrays::activations, Arrays::columns, Arrays::errors, Arrays::hidden, Arrays::n,
      Arrays::offsets, Arrays::output, Arrays::outputs, Arrays::shape, Arrays::deltas, Arrays::targets, Arrays::threads,
      Arrays::units, Arrays::warps, Arrays::width, Arrays::x;
  using Array = ThreadArray<float, 0>;

  struct Scratch {};  ///< same name as FixedRows::Scratch, which holds features

  float* const hidden_bias = hidden + pad_to_quad(units()) * width;

  /// Loads the hidden layer as floats: quad of units by quad of units, feature by feature, padded with zeros.
  __device__ void load_hidden(const double* point) const {
    const unsigned padded = pad_to_quad(units()), bias_at = static_cast<unsigned>(shape().hidden_bias_at());
    for (unsigned j = 0; j < padded; ++j)
      for (unsigned f = threadIdx.x; f < width; f += threads)
        hidden[(j / quad * width + f) * quad + j % quad] =
            j < units() ? static_cast<float>(point[j * width + f]) : 0.0f;
    for (unsigned j = threadIdx.x; j < padded; j += threads)
      hidden_bias[j] = j < units() ? static_cast<float>(point[bias_at + j]) : 0.0f;
  }

  /// Computes the activations of a row of the matrix with the loaded hidden layer.
  __device__ void forward_row(unsigned row, const Array& a) const {
    for (unsigned first = 0; first < units(); first += quad) {
      const float *weights = hidden + first * width, *from = x + Arrays::row_offset(row);
      float sum[quad];
#pragma unroll
      for (unsigned u = 0; u < quad; ++u) sum[u] = hidden_bias[first + u];
#pragma unroll 4
      for (unsigned f = 0; f < width; ++f) {
        const float feature = __ldg(from + columns[f]);
        const float4 w = *reinterpret_cast<const float4*>(weights + f * quad);
        sum[0] += w.x * feature, sum[1] += w.y * feature, sum[2] += w.z * feature, sum[3] += w.w * feature;
      }
      visit_activation(activation, [&](auto formula) {
#pragma unroll
        for (unsigned u = 0; u < quad; ++u)
          if (first + u < units()) a[first + u] = decltype(formula)::value(sum[u]);
      });
    }
  }

  /// Calls store(k, output k) with a row's activations and the loaded output layer.
  template <class Store>
  __device__ __forceinline__ void compute_outputs(const Array& a, Store store) const {
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
        if (first + u < outputs) store(first + u, sum[u]);
    }
  }

  /// Calls store(k, output k) for a row of the matrix, with the loaded layers.
  template <class Store>
  __device__ void predict(unsigned row, Scratch&, Store store) const {
    const Array a(ThreadArrayId::activations);
    forward_row(row, a);
    compute_outputs(a, store);
  }

  /// Stores the activations of the step's rows for the hidden layer of `point`.
  __device__ void forward(const double* point) const {
    load_hidden(point);
    sync_block<warps>();
    Arrays::for_rows([&](unsigned i, unsigned row) { forward_row(row, {activations + i, n}); });
    sync_block<warps>();
  }

  /// Stores errors and deltas of row i from its stored activations; returns its contribution to the value.
  __device__ double store_errors(unsigned i, bool of_loss) const {
    const float weight = Arrays::weight(i);
    const Array a(activations + i, n), e(errors + i, n);
    float value = 0.0f;
    if (of_loss) {
      LossRow<Losses, 0> loss_row;
      const Array derivatives(ThreadArrayId::derivatives);
      compute_outputs(a, [&](unsigned k, float h) { loss_row.scores[k] = h + offsets[k * n + i]; });
      for (unsigned t = 0; t < rows().target_count; ++t) loss_row.targets[t] = targets[t * n + i];
      Losses::visit(plan().loss, [&](auto l) {
        decltype(l)::values_and_derivatives(loss_row.loss_rows(outputs), &value, derivatives.data());
      });
      for (unsigned k = 0; k < outputs; ++k) e[k] = weight * derivatives[k];
    } else {
      compute_outputs(a, [&](unsigned k, float h) {
        h -= targets[k * n + i];
        value += 0.5f * h * h;
        e[k] = weight * h;
      });
    }
    store_deltas(a, e, {deltas + i, n});
    return double(weight) * value;
  }

 private:
  __device__ void store_deltas(const Array& a, const Array& e, const Array& slope) const {
    for (unsigned first = 0; first < units(); first += quad) {
      const unsigned last = units() - 1;
      float sum[quad] = {};
      for (unsigned k = 0; k < outputs; ++k) {
        const float error = e[k];
#pragma unroll
        for (unsigned u = 0; u < quad; ++u) sum[u] += error * output[min(first + u, last) * outputs + k];
      }
      visit_activation(activation, [&](auto formula) {
#pragma unroll
        for (unsigned u = 0; u < quad; ++u)
          if (first + u < units()) slope[first + u] = sum[u] * decltype(formula)::slope(a[first + u]);
      });
    }
  }
};

}  // namespace accrete::cuda
