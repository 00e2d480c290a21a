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
    for (unsigned k = 1; k < step.outputs; ++k)
      add_products<false>(k, [&](unsigned i, unsigned, float(&a)[J]) {
#pragma unroll
        for (int j = 0; j < J; ++j) a[j] = step.activations[j * step.n + i];
      });
    Layer::join(team);
    Layer::solve();
  }

  /// This block's products with output k and, the first time, of each other; units(i, row, a) gives a row's
  /// activations.
  template <bool first, class Units>
  __device__ void add_products(unsigned k, Units units) const {
    constexpr unsigned squares = first ? size * (size + 1) / 2 : 0,
                       all = size + squares;  // only the lower half is read
    const float* goal = step.goals + k * step.n;
    double sums[std::bit_ceil(all)] = {};
    step.for_rows([&](unsigned i, unsigned row) {
      float a[J];
      units(i, row, a);
      double unit[size];
      const double weight = step.weight(i), r = goal[i];
#pragma unroll
      for (unsigned p = 0; p < size; ++p) unit[p] = p < J ? a[p] : 1.0;
#pragma unroll
      for (unsigned p = 0; p < size; ++p) {
        const double weighted = weight * unit[p];
        sums[p] += weighted * r;
#pragma unroll
        for (unsigned q = 0; first && q <= p; ++q) sums[size + p * (p + 1) / 2 + q] += weighted * unit[q];
      }
    });
    hand_over<all>(warp_sums<std::bit_ceil(all)>(sums), k);
  }

  /// The warps' sums together, each of the first lanes with its own, to their places.
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
