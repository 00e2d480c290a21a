#pragma once
// Value and gradient of a step's objective over tiles of rows that are copied ahead to shared memory (tiles.cuh). A
// lane takes four rows of every fourth feature into registers, where they are for the way forward and the way back: the
// sums of the units meet in groups of four lanes so that each lane has a row, whose activations, loss and errors it
// finds; then the four lanes exchange slopes. The sums over rows stay in registers to the end. So features are read
// from memory once, and from shared memory once.

#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/project.cuh"
#include "accrete/backend/cuda/register_pass.cuh"
#include "accrete/backend/cuda/tiles.cuh"

namespace accrete::cuda {

/// whole: the step has as many features as a tile has room for, so that none is looked for, and what is loaded next is
/// on its way while there is something to multiply.
template <class Team, class Losses, int J, int K, bool whole = false>
struct TilePass {
  using Step = StepRows<Team, Losses, J, K>;
  static constexpr unsigned some = tile_features / 4;  ///< features of a lane

  const Step& step;
  double* gradient;

  /// Whether there is room for tiles; drawn rows do not lie side by side.
  __device__ static bool suits(const Step& step) { return work().at.tile_warps > 0 && !step.which; }

  /// What a lane's row is fitted to, read when it is wanted.
  struct Goal {
    const Step& step;
    const Tile& tile;
    __device__ float weight() const { return step.even_weight > 0.0f ? step.even_weight : tile.goals[0]; }
    __device__ float target(int t) const { return tile.goals[(1 + t) * tile_rows]; }
    __device__ float offset(int k, bool of_loss) const {
      const float number = tile.numbers[k * tile_rows];
      return of_loss ? number : -number;
    }
  };

  /// This lane's sums over rows.
  struct Sums {
    float hidden[some * J] = {}, bias[J] = {}, output[(J + 1) * K] = {};
    double value = 0.0;
  };

  /// What a lane has of a tile: rows 4 (lane / 4) and the three after, of features lane % 4, 4 + lane % 4, ... Loops
  /// over them go by two features and end with the step's.
  struct Part {
    float4 x[some];

    /// All on their way together. Of narrower steps the last one stands for those that are not there, and not used.
    __device__ __forceinline__ Part(const float* tile, unsigned width) {
      const unsigned f = lane() % 4, last = whole ? some - 1 : static_cast<unsigned>(tile_width(width)) / quad - 1;
      const float* from = tile + f * tile_rows + 4 * ((lane() / 4) ^ turned(f));
#pragma unroll
      for (unsigned i = 0; i < some; ++i) x[i] = load_here<float4>(from + min(i, last) * quad * tile_rows);
    }
  };

  /// The activations of the row that is this lane's.
  __device__ __forceinline__ void forward(const Part& part, float (&a)[J]) const {
    const float* weights = step.hidden + lane() % 4 * J;
    float sums[J][4] = {};
#pragma unroll
    for (unsigned i = 0; i < some; i += 2) {
      if (!whole && i * 4 >= step.width) break;
      const float4 x[] = {part.x[i], part.x[i + 1]};
      float w[2][J];
      step.load_units(weights + i * 4 * J, w[0]);
      step.load_units(weights + (i + 1) * 4 * J, w[1]);
#pragma unroll
      for (unsigned k = 0; k < 2; ++k)
#pragma unroll
        for (int j = 0; j < J; ++j) {
          sums[j][0] += w[k][j] * x[k].x, sums[j][1] += w[k][j] * x[k].y;
          sums[j][2] += w[k][j] * x[k].z, sums[j][3] += w[k][j] * x[k].w;
        }
    }
    typename Step::Units units;
#pragma unroll
    for (int j = 0; j < J; ++j) units.of[j][0] = group_sums<4>(sums[j]);
    step.finish(units, a);
  }

  /// += the slopes of four lanes' rows times their features.
  __device__ __forceinline__ void backward(const Part& part, const float (&slope)[J], Sums& sums) const {
    float s[J][4];
#pragma unroll
    for (int j = 0; j < J; ++j)
#pragma unroll
      for (unsigned r = 0; r < 4; ++r) s[j][r] = __shfl_sync(whole_warp, slope[j], r, 4);
#pragma unroll
    for (unsigned i = 0; i < some; i += 2) {
      if (!whole && i * 4 >= step.width) break;
      const float4 x[] = {part.x[i], part.x[i + 1]};
#pragma unroll
      for (unsigned k = 0; k < 2; ++k)
#pragma unroll
        for (int j = 0; j < J; ++j) {
          float& sum = sums.hidden[(i + k) * J + j];
          sum += s[j][0] * x[k].x, sum += s[j][1] * x[k].y, sum += s[j][2] * x[k].z, sum += s[j][3] * x[k].w;
        }
    }
  }

  template <class Done>
  __device__ __forceinline__ void add(const Tile& tile, Done done, backend::Fit fit, Sums& sums) const {
    const Part part(tile.features, step.width);
    done();
    const unsigned i = tile.first + lane();
    float a[J] = {}, e[K], slope[J] = {};
    if (fit != backend::Fit::projected) {
      forward(part, a);
    } else if (i < step.n) {
#pragma unroll
      for (int j = 0; j < J; ++j) a[j] = step.activations[j * step.n + i];
    }
    if (i < step.n) {
      sums.value += step.find_error(Goal{step, tile}, fit == backend::Fit::loss, a, e, slope);
#pragma unroll
      for (int j = 0; j < J; ++j) sums.bias[j] += slope[j];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        if (!step.there(k)) break;
#pragma unroll
        for (int j = 0; j < J; ++j) sums.output[j * K + k] += e[k] * a[j];
        sums.output[J * K + k] += e[k];
      }
    }
    backward(part, slope, sums);
  }

  /// This warp's sums of the hidden weights' gradient, in the order of parameters.
  __device__ void hand_over(Sums& sums, float* part) const {
#pragma unroll
    for (unsigned first = 0; first < some * J; first += 8) {
      float eight[8];
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) eight[i] = first + i < some * J ? sums.hidden[first + i] : 0.0f;
      const float sum = group_sums<8, 4>(eight);
      const unsigned at = first + lane() / 4, f = at / J * 4 + lane() % 4;
      if (f < step.width) part[at % J * step.width + f] = sum;
    }
  }

  template <class F>
  __device__ __forceinline__ void sweep(F f) const {
    Tiles<Team, Step, whole>(step).sweep(f);
    meet<Team::warps>();
    if (threadIdx.x == 0) ++work().sweeps;
  }

  /// All of it; this thread's part of the value. The activations are there already where the output layer was solved
  /// for.
  __device__ __forceinline__ static double evaluate(const double* point, const double* layer, double* gradient,
                                                    backend::Fit fit) {
    const Step step;
    if constexpr (!whole)
      if (padded(step.width) == tile_features)
        return TilePass<Team, Losses, J, K, true>::evaluate(point, layer, gradient, fit);
    const bool projected = fit == backend::Fit::projected;
    if (!projected) step.load_hidden(point);
    step.load_output(layer);
    meet<Team::warps>();
    const TilePass pass{step, gradient};
    const RegisterPass<Team, Losses, J, K> parts{step, gradient};
    Sums sums;
    pass.sweep([&](const Tile& tile, auto done) { pass.add(tile, done, fit, sums); });
    pass.hand_over(sums, parts.part());
    parts.hand_over(sums.bias, sums.output);
    meet<Team::warps>();
    parts.finish(point, static_cast<unsigned>(projected ? step.shape().hidden_size() : step.shape().size()));
    return sums.value;
  }

  /// Activations of the point's hidden layer, and what Projection::finish wants.
  __device__ __forceinline__ static void find_products(const double* point) {
    const Step step;
    step.load_hidden(point);
    meet<Team::warps>();
    const TilePass pass{step, nullptr};
    const Projection<Team, Losses, J, K> projection{step};
    typename Projection<Team, Losses, J, K>::template Products<true> products;
    pass.sweep([&](const Tile& tile, auto done) {
      const Part part(tile.features, step.width);
      done();
      const unsigned i = tile.first + lane();
      float a[J];
      pass.forward(part, a);
      if (i >= step.n) return;
      const Goal goal{step, tile};
      products.add(goal.weight(), goal.offset(0, true), a);
#pragma unroll
      for (int j = 0; j < J; ++j) step.activations[j * step.n + i] = a[j];
    });
    projection.hand_over(products, 0);
  }
};

}  // namespace accrete::cuda
