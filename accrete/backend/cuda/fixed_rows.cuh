#pragma once
// Forward pass and errors of a row for steps whose numbers of units and outputs are compile-time constants: the step's
// layers are in shared memory, and the values of a row in registers.

#include "accrete/backend/cuda/step_arrays.cuh"

namespace accrete::cuda {

/// J units per step and at most K outputs.
template <class Team, class Losses, int J, int K>
struct FixedRows : StepArrays<Team, J, K> {
  using Arrays = StepArrays<Team, J, K>;
  using Arrays::activation, Arrays::activations, Arrays::columns, Arrays::errors, Arrays::hidden, Arrays::n,
      Arrays::output, Arrays::outputs, Arrays::row_stride, Arrays::shape, Arrays::deltas, Arrays::threads,
      Arrays::warps, Arrays::width, Arrays::x;

  const float4* const quads = state().drawn_features ? nullptr : reinterpret_cast<const float4*>(rows().quads);
  const unsigned hidden_row_count = static_cast<unsigned>(hidden_rows(width));
  float* const hidden_bias = hidden + hidden_row_count * J;

  /// Loads the hidden layer as floats, feature by feature, padded with zeros.
  __device__ void load_hidden(const double* point) const {
    for (unsigned i = threadIdx.x; i < hidden_row_count * J; i += threads) {
      const unsigned f = i / J, j = i % J;
      hidden[i] = f < width ? static_cast<float>(point[j * width + f]) : 0.0f;
    }
    if (threadIdx.x < J) hidden_bias[threadIdx.x] = static_cast<float>(point[shape().hidden_bias_at() + threadIdx.x]);
  }
  /// Loads the output layer as floats, output by output.
  __device__ void load_output(const double* layer) const {
    for (unsigned k = threadIdx.x; k < outputs; k += threads) {
#pragma unroll
      for (int j = 0; j < J; ++j) output[k * J + j] = static_cast<float>(layer[j * outputs + k]);
      output[J * outputs + k] = static_cast<float>(layer[J * outputs + k]);
    }
  }

  /// Loads one value per unit.
  __device__ __forceinline__ static void load_units(const float* from, float (&to)[J]) {
    if constexpr (J == 4)
      *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
    else
#pragma unroll
      for (int j = 0; j < J; ++j) to[j] = from[j];
  }

  /// Loads features first .. first + count - 1 of a row; `first` is a multiple of quad. Elements past the last feature
  /// are not changed.
  template <unsigned count>
  __device__ __forceinline__ void load(unsigned row, unsigned first, float (&to)[count]) const {
    static_assert(count % quad == 0);
    if (quads) {
#pragma unroll
      for (unsigned f = 0; f < count; f += quad)
        if (first + f < width)
          *reinterpret_cast<float4*>(to + f) = __ldg(quads + ((first + f) / quad * row_stride + row));
      return;
    }
    const float* from = x + Arrays::row_offset(row);
    asm("" : "+l"(from));  // stops the compiler from recomputing the 64-bit sum for every feature
#pragma unroll
    for (unsigned f = 0; f < count; f += quad)
      if (first + f < width) {
        const uint4 at = load_volatile<uint4>(columns + first + f);
        to[f] = __ldg(from + at.x), to[f + 1] = __ldg(from + at.y);
        to[f + 2] = __ldg(from + at.z), to[f + 3] = __ldg(from + at.w);
      }
  }

  /// Accumulators of a row's hidden sums: several per unit if there are few units, to hide the latency of dependent
  /// additions.
  struct UnitSums {
    static constexpr unsigned chains = J == 1 ? 4 : J == 2 ? 2 : 1;
    float values[J][chains] = {};
  };
  /// Adds weights times features. With few units, loads the weights of several quads together.
  template <unsigned count>
  __device__ __forceinline__ void add(const float (&features)[count], unsigned first, UnitSums& sums) const {
    constexpr unsigned preferred = J == 1 ? 4 * quad : J == 2 ? 2 * quad : quad;
    constexpr unsigned together = count % preferred == 0 ? preferred : quad;
#pragma unroll
    for (unsigned f = 0; f < count; f += together)
      if (first + f < width) {
        float w[together * J];
#pragma unroll
        for (int i = 0; i < together / quad * J; ++i)
          *reinterpret_cast<float4*>(w + quad * i) = load_volatile<float4>(hidden + (first + f) * J + quad * i);
#pragma unroll
        for (unsigned i = 0; i < together; ++i)
#pragma unroll
          for (int j = 0; j < J; ++j) sums.values[j][i % UnitSums::chains] += w[i * J + j] * features[f + i];
      }
  }
  /// Activates the sums plus biases.
  __device__ __forceinline__ void activate(const UnitSums& sums, float (&a)[J]) const {
#pragma unroll
    for (int j = 0; j < J; ++j) {
      a[j] = hidden_bias[j];
#pragma unroll
      for (unsigned c = 0; c < UnitSums::chains; ++c) a[j] += sums.values[j][c];
    }
    visit_activation(activation, [&](auto formula) {
#pragma unroll
      for (int j = 0; j < J; ++j) a[j] = decltype(formula)::value(a[j]);
    });
  }

  /// Features of a row that are loaded together; more in a grid, which has fewer threads to hide latency. Declare it
  /// outside of loops over rows: not all elements are loaded, and inside a loop the compiler would reserve registers
  /// for them too early.
  struct Scratch {
    static constexpr unsigned count = Team::is_grid ? 32 : 16;
    float features[count] = {};
  };

  /// Computes the activations of a row of the matrix with the loaded hidden layer.
  __device__ __forceinline__ void forward_row(unsigned row, Scratch& scratch, float (&a)[J]) const {
    UnitSums sums;
    for (unsigned first = 0; first < width; first += Scratch::count) {
      load(row, first, scratch.features);
      add(scratch.features, first, sums);
    }
    activate(sums, a);
  }

  /// Calls store(k, output k) for a row of the matrix, with the loaded layers.
  template <class Store>
  __device__ __forceinline__ void predict(unsigned row, Scratch& scratch, Store store) const {
    float a[J];
    forward_row(row, scratch, a);
    for (unsigned k = 0; k < outputs; ++k) {
      float h = output[J * outputs + k];
      for (int j = 0; j < J; ++j) h += a[j] * output[k * J + j];
      store(k, h);
    }
  }

  /// Stores the activations of the step's rows for the hidden layer of `point`.
  __device__ void forward(const double* point) const {
    load_hidden(point);
    sync_block<warps>();
    Scratch scratch;
    Arrays::for_rows([&](unsigned i, unsigned row) {
      float a[J];
      forward_row(row, scratch, a);
      store_units(activations, i, a);
    });
    sync_block<warps>();
  }
  __device__ __forceinline__ void load_units(const float* array, unsigned i, float (&to)[J]) const {
#pragma unroll
    for (int j = 0; j < J; ++j) to[j] = array[j * n + i];
  }
  __device__ __forceinline__ void store_units(float* array, unsigned i, const float (&from)[J]) const {
#pragma unroll
    for (int j = 0; j < J; ++j) array[j * n + i] = from[j];
  }

  /// The target of row i, read from global memory.
  struct RowTarget {
    const FixedRows& step;
    const unsigned i;
    __device__ float weight() const { return step.weight(i); }
    __device__ float target(int t) const { return step.targets[t * step.n + i]; }
    /// The value added to output k of the block: its current score, or its negated residual.
    __device__ float offset(int k, bool of_loss) const {
      return of_loss ? step.offsets[k * step.n + i] : -step.targets[k * step.n + i];
    }
  };

  /// From the activations a and the loaded output layer: e, the weighted derivatives with respect to the outputs, and
  /// the deltas, with respect to the hidden sums. Returns the row's contribution to the value.
  template <class Target>
  __device__ __forceinline__ double compute_error(const Target& target, bool of_loss, const float (&a)[J],
                                                  float (&e)[K], float (&slope)[J]) const {
    const float weight = target.weight();
    LossRow<Losses, K> loss_row;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      float h = 0.0f;
      if (k < outputs) {
        h = output[J * outputs + k];
        float w[J];
        load_units(output + k * J, w);
#pragma unroll
        for (int j = 0; j < J; ++j) h += a[j] * w[j];
        h += target.offset(k, of_loss);
      }
      loss_row.set_score(k, h, outputs);
      e[k] = h;
    }
    float value = 0.0f;
    if (of_loss) {
#pragma unroll
      for (int t = 0; t < K; ++t)
        if (t < rows().target_count) loss_row.targets[t] = target.target(t);
      Losses::visit(plan().loss,
                    [&](auto l) { decltype(l)::values_and_derivatives(loss_row.loss_rows(outputs), &value, e); });
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
      e[k] *= weight;
      float w[J];
      load_units(output + k * J, w);
#pragma unroll
      for (int j = 0; j < J; ++j) slope[j] += e[k] * w[j];
    }
    visit_activation(activation, [&](auto formula) {
#pragma unroll
      for (int j = 0; j < J; ++j) slope[j] *= decltype(formula)::slope(a[j]);
    });
    return double(weight) * value;
  }

  /// Stores errors and deltas of row i from its stored activations; returns its contribution to the value.
  __device__ double store_errors(unsigned i, bool of_loss) const {
    float a[J], e[K], slope[J];
    load_units(activations, i, a);
    const double value = compute_error(RowTarget{*this, i}, of_loss, a, e, slope);
#pragma unroll
    for (int k = 0; k < K; ++k)
      if (k < outputs) errors[k * n + i] = e[k];
    store_units(deltas, i, slope);
    return value;
  }
};

}  // namespace accrete::cuda
