#pragma once
// The least-squares output layer for a step's activations: normal equations and their solution.

#include <bit>

#include "accrete/backend/cuda/product_pass.cuh"
#include "accrete/solver/least_squares.hpp"

namespace accrete::cuda {

template <class Team, class Step>
struct OutputLayer {
  const Step& step;
  double* const gram = step_vector<double, Step::general>(layout().gram);
  double* const layer = step_vector<double, Step::general>(layout().output_layer);

  /// Adds the equations of all blocks; gram and layer must be contiguous.
  __device__ void all_reduce(Team& team) const {
    team.all_reduce(gram, static_cast<unsigned>(layer - gram) + (step.units() + 1) * step.outputs);
  }
  __device__ void solve() const {
    const unsigned units = step.units(), size = units + 1;
    if (threadIdx.x == 0) {
      for (unsigned i = 0; i < units; ++i) gram[i * size + i] += state().penalty;
      solver::solve_positive({gram, size * size}, {layer, size * step.outputs}, size, step.outputs);
    }
    sync_block<Team::warps>();
  }
};

/// Normal equations from stored activations.
template <class Team, class Step>
struct ProductProjection : OutputLayer<Team, Step> {
  using Base = OutputLayer<Team, Step>;
  using Base::gram, Base::layer, Base::step;

  /// Stores the activations for the hidden layer of `point` and solves for the output layer.
  __device__ void project(Team& team, const double* point) const {
    step.forward(point);
    const unsigned n = step.n, units = step.units(), size = units + 1, outputs = step.outputs;
    const auto unit = [&](unsigned j, unsigned i, unsigned) { return j < units ? step.activations[j * n + i] : 1.0f; };
    const auto weighted = [&](unsigned j, unsigned i, unsigned row) { return step.weight(i) * unit(j, i, row); };
    const auto target = [&](unsigned k, unsigned i, unsigned) { return step.targets[k * n + i]; };
    ProductSums<Team, Step> sums(step);
    sums.template add<double>(size, size, weighted, unit,
                              [&](unsigned p, unsigned q, double sum) { gram[p * size + q] = sum; });
    sums.template add<double>(size, outputs, weighted, target,
                              [&](unsigned p, unsigned k, double sum) { layer[p * outputs + k] = sum; });
    Base::all_reduce(team);
    Base::solve();
  }
};

/// Normal equations accumulated in registers while activations are computed, for few units and outputs.
template <class Team, class Losses, int J, int K>
struct RegisterProjection : OutputLayer<Team, FixedRows<Team, Losses, J, K>> {
  using Base = OutputLayer<Team, FixedRows<Team, Losses, J, K>>;
  using Base::gram, Base::layer, Base::step;
  static constexpr unsigned warps = Team::warps, size = J + 1;  ///< the units, plus 1 for the bias

  /// Stores the activations for the hidden layer of `point` and solves for the output layer.
  __device__ void project(Team& team, const double* point) const {
    step.load_hidden(point);
    sync_block<warps>();
    typename FixedRows<Team, Losses, J, K>::Scratch scratch;
    accumulate_rows<true>(0, [&](unsigned i, unsigned row, float(&a)[J]) {
      step.forward_row(row, scratch, a);
      step.store_units(step.activations, i, a);
    });
    for (unsigned k = 1; k < step.outputs; ++k)
      accumulate_rows<false>(k, [&](unsigned i, unsigned, float(&a)[J]) { step.load_units(step.activations, i, a); });
    Base::all_reduce(team);
    Base::solve();
  }

  /// A thread's products of units with one output's target and, for the first output only, with each other.
  template <bool first>
  struct Products {
    static constexpr unsigned grams = first ? size * (size + 1) / 2 : 0, count = size + grams;  // lower triangle
    double sums[std::bit_ceil(count)] = {};

    __device__ __forceinline__ void add(double weight, double target, const float (&a)[J]) {
      double unit[size];
#pragma unroll
      for (unsigned p = 0; p < size; ++p) unit[p] = p < J ? a[p] : 1.0;
#pragma unroll
      for (unsigned p = 0; p < size; ++p) {
        const double weighted = weight * unit[p];
        sums[p] += weighted * target;
#pragma unroll
        for (unsigned q = 0; first && q <= p; ++q) sums[size + p * (p + 1) / 2 + q] += weighted * unit[q];
      }
    }
  };

  /// Adds the products of all warps and stores them in the equations of output k.
  template <bool first>
  __device__ void reduce(Products<first>& products, unsigned k) const {
    store_sums<Products<first>::count>(warp_sums<std::bit_ceil(Products<first>::count)>(products.sums), k);
  }
  /// sum: this lane's product summed over the warp; valid in the first `count` lanes.
  template <unsigned count>
  __device__ void store_sums(double sum, unsigned k) const {
    double* partials = in_shared<double>(layout().warp_sums);
    if (lane() < count) partials[warp() * count + lane()] = sum;
    sync_block<warps>();
    if (threadIdx.x < count) {
      double total = 0.0;
      for (unsigned w = 0; w < warps; ++w) total += partials[w * count + threadIdx.x];
      unsigned i = 0, j = threadIdx.x - size;
      while (threadIdx.x >= size && j > i) j -= ++i;
      (threadIdx.x < size ? layer[threadIdx.x * step.outputs + k] : gram[i * size + j]) = total;
    }
    sync_block<warps>();
  }

 private:
  /// units(i, row, a) provides the activations of a row.
  template <bool first, class Units>
  __device__ void accumulate_rows(unsigned k, Units units) const {
    const float* target = step.targets + k * step.n;
    Products<first> products;
    step.for_rows([&](unsigned i, unsigned row) {
      float a[J];
      units(i, row, a);
      products.add(step.weight(i), target[i], a);
    });
    reduce(products, k);
  }
};

}  // namespace accrete::cuda
