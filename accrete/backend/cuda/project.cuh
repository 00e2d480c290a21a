#pragma once
// The best output layer for a step's activations: normal equations, then their solution.

#include <bit>

#include "accrete/backend/cuda/step_rows.cuh"
#include "accrete/solver/least_squares.hpp"

namespace accrete::cuda {

/// Its equations, and what they give.
template <class Team, class Step>
struct OutputLayer {
  const Step& step;
  double* const gram = in_block<double, Step::general>(work().at.gram);
  double* const layer = in_block<double, Step::general>(work().at.output_layer);

  /// All blocks' equations together.
  __device__ void join(Team& team) const {
    team.join(gram, static_cast<unsigned>(layer - gram) + (step.units() + 1) * step.outputs);  // they lie side by side
  }
  __device__ void solve() const {
    const unsigned units = step.units(), size = units + 1;
    if (threadIdx.x == 0) {
      for (unsigned i = 0; i < units; ++i) gram[i * size + i] += work().penalty;
      solver::solve_positive({gram, size * size}, {layer, size * step.outputs}, size, step.outputs);
    }
    meet<Team::warps>();
  }
};

template <class Team, class Losses, int J, int K>
struct Projection : OutputLayer<Team, StepRows<Team, Losses, J, K>> {
  using Layer = OutputLayer<Team, StepRows<Team, Losses, J, K>>;
  using Layer::gram, Layer::layer, Layer::step;
  static constexpr unsigned warps = Team::warps, size = J + 1;  ///< the units, and 1

  /// Activations of the point's hidden layer, and the layer.
  __device__ void find(Team& team, const double* point) const {
    step.load_hidden(point);
    meet<warps>();
    typename StepRows<Team, Losses, J, K>::Scratch scratch;
    add_products<true>(0, [&](unsigned i, unsigned row, float(&a)[J]) {
      step.activate(row, scratch, a);
#pragma unroll
      for (int j = 0; j < J; ++j) step.activations[j * step.n + i] = a[j];
    });
    finish(team);
  }

  /// The layer, from activations and the products with the first output.
  __device__ void finish(Team& team) const {
    for (unsigned k = 1; k < step.outputs; ++k)
      add_products<false>(k, [&](unsigned i, unsigned, float(&a)[J]) {
#pragma unroll
        for (int j = 0; j < J; ++j) a[j] = step.activations[j * step.n + i];
      });
    Layer::join(team);
    Layer::solve();
  }

  /// A thread's products with an output and, the first time, of each other.
  template <bool first>
  struct Products {
    static constexpr unsigned squares = first ? size * (size + 1) / 2 : 0,
                              all = size + squares;  // only the lower half is read
    double of[std::bit_ceil(all)] = {};

    /// += those of a row.
    __device__ __forceinline__ void add(double weight, double goal, const float (&a)[J]) {
      double unit[size];
#pragma unroll
      for (unsigned p = 0; p < size; ++p) unit[p] = p < J ? a[p] : 1.0;
#pragma unroll
      for (unsigned p = 0; p < size; ++p) {
        const double weighted = weight * unit[p];
        of[p] += weighted * goal;
#pragma unroll
        for (unsigned q = 0; first && q <= p; ++q) of[size + p * (p + 1) / 2 + q] += weighted * unit[q];
      }
    }
  };

  /// This block's products; units(i, row, a) gives a row's activations.
  template <bool first, class Units>
  __device__ void add_products(unsigned k, Units units) const {
    const float* goal = step.goals + k * step.n;
    Products<first> products;
    step.for_rows([&](unsigned i, unsigned row) {
      float a[J];
      units(i, row, a);
      products.add(step.weight(i), goal[i], a);
    });
    hand_over(products, k);
  }

  /// The warps' sums together, each of the first lanes with its own, to their places.
  template <bool first>
  __device__ void hand_over(Products<first>& products, unsigned k) const {
    hand_over<Products<first>::all>(warp_sums<std::bit_ceil(Products<first>::all)>(products.of), k);
  }
  template <unsigned all>
  __device__ void hand_over(double sum, unsigned k) const {
    double* room = in_shared<double>(work().at.sums);
    if (lane() < all) room[warp() * all + lane()] = sum;
    meet<warps>();
    if (threadIdx.x < all) {
      double total = 0.0;
      for (unsigned part = 0; part < warps; ++part) total += room[part * all + threadIdx.x];
      unsigned i = 0, other = threadIdx.x - size;
      while (threadIdx.x >= size && other > i) other -= ++i;
      (threadIdx.x < size ? layer[threadIdx.x * step.outputs + k] : gram[i * size + other]) = total;
    }
    meet<warps>();
  }
};

}  // namespace accrete::cuda
