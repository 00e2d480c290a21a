#pragma once
// The best output layer for a step's activations: normal equations, then their solution.

#include <bit>

#include "accrete/backend/cuda/step_rows.cuh"
#include "accrete/solver/least_squares.hpp"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
struct Projection {
  static constexpr unsigned warps = Team::warps, size = J + 1;  ///< the units, and 1

  const StepRows<Team, Losses, J, K>& step;
  double* const gram = in_shared<double>(work().at.gram);
  double* const layer = in_shared<double>(work().at.output_layer);

  __device__ void find(Team& team) const {
    add_products<true>(0);
    for (unsigned k = 1; k < step.outputs; ++k) add_products<false>(k);
    join(team);
    solve();
  }

  /// All blocks' equations together.
  __device__ void join(Team& team) const {
    team.join(gram, static_cast<unsigned>(layer - gram) + size * step.outputs);  // they lie side by side
  }
  __device__ void solve() const {
    if (threadIdx.x == 0) {
      for (unsigned i = 0; i < J; ++i) gram[i * size + i] += work().penalty;
      solver::solve_positive({gram, size * size}, {layer, size * step.outputs}, size, step.outputs);
    }
    meet<warps>();
  }

  /// This block's products with output k and, the first time, of each other.
  template <bool first>
  __device__ void add_products(unsigned k) const {
    constexpr unsigned squares = first ? size * (size + 1) / 2 : 0, all = size + squares;  // only the lower half is read
    const float *a = step.activations, *goal = step.goals + k * step.n;
    double sums[std::bit_ceil(all)] = {};
    const Run mine = Team::share(step.n);
    for (unsigned at = mine.from + threadIdx.x; at < mine.to; at += Team::threads) {
      double unit[size];
      const double weight = step.weights[at], r = goal[at];
#pragma unroll
      for (unsigned i = 0; i < size; ++i) unit[i] = i < J ? a[i * step.n + at] : 1.0;
#pragma unroll
      for (unsigned i = 0; i < size; ++i) {
        const double weighted = weight * unit[i];
        sums[i] += weighted * r;
#pragma unroll
        for (unsigned other = 0; first && other <= i; ++other)
          sums[size + i * (i + 1) / 2 + other] += weighted * unit[other];
      }
    }
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
