#pragma once
// Value and gradient of a step's objective over tiles of rows in shared memory (tiles.cuh), which are looked at twice:
// forward, four rows of every fourth feature to a lane, whose sums then meet so that each lane has a row; and backward,
// the same four rows of every eighth feature, whose sums over rows stay in registers to the end. Between them a lane
// has the activations and errors of its row. So features are read from memory once, and a number from shared memory is
// used for as many multiplications as there are units.

#include <type_traits>

#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/project.cuh"
#include "accrete/backend/cuda/register_pass.cuh"
#include "accrete/backend/cuda/tiles.cuh"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
struct TilePass {
  using Step = StepRows<Team, Losses, J, K>;
  static constexpr unsigned some = tile_features / 8;  ///< features of a lane on the way back

  const Step& step;
  double* gradient;

  /// Whether there is room for tiles; drawn rows do not lie side by side.
  __device__ static bool suits(const Step& step) { return work().at.tile_warps > 0 && !step.which; }

  /// What a lane's row is fitted to, on its way while the sums of the units are made.
  struct Goal {
    static constexpr int target_count = std::is_same_v<Losses, JointLoss> ? 1 : K;
    float of_weight = 0.0f, targets[target_count] = {}, offsets[K] = {};

    __device__ Goal(const typename Step::Goal& from, bool of_loss) {
      if (from.i >= from.step.n) return;
      of_weight = from.weight();
#pragma unroll
      for (int t = 0; t < target_count; ++t)
        if (of_loss && t < rows().targets_count) targets[t] = from.target(t);
#pragma unroll
      for (int k = 0; k < K; ++k)
        if (k < from.step.outputs) offsets[k] = from.offset(k, of_loss);
    }
    __device__ float weight() const { return of_weight; }
    __device__ float target(int t) const { return targets[t < target_count ? t : 0]; }
    __device__ float offset(int k, bool) const { return offsets[k]; }
  };

  /// This lane's sums over rows.
  struct Sums {
    float hidden[some * J] = {}, bias[J] = {}, output[(J + 1) * K] = {};
    double value = 0.0;
  };

  /// Four rows of a feature, and its weights.
  struct Operands {
    float4 x;
    float w[J];

    __device__ __forceinline__ void load(const float* from, const float* weights) {
      x = load_here<float4>(from);
      if constexpr (J == 4)
        *reinterpret_cast<float4*>(w) = load_here<float4>(weights);
      else
        for (int j = 0; j < J; ++j) w[j] = weights[j];
    }
  };

  /// The activations of the row that is this lane's. Operands are loaded while those before them are used; the last
  /// ones to no purpose, from what lies behind.
  __device__ __forceinline__ void forward(const float* tile, float (&a)[J]) const {
    const unsigned f = lane() % 4, c = (lane() / 4) ^ turned(f);
    const float *even = tile + f * tile_rows + 4 * c, *odd = tile + (f + 4) * tile_rows + 4 * (c ^ 1);
    const float* weights = step.hidden + f * J;
    float sums[J][4] = {};
    const auto add = [&](const Operands& of) {
#pragma unroll
      for (int j = 0; j < J; ++j) {
        sums[j][0] += of.w[j] * of.x.x, sums[j][1] += of.w[j] * of.x.y;
        sums[j][2] += of.w[j] * of.x.z, sums[j][3] += of.w[j] * of.x.w;
      }
    };
    const unsigned quads = (step.width + quad - 1) / quad;
    Operands now, next;
    now.load(even, weights);
#pragma unroll 1
    for (unsigned i = 0; i + 1 < quads; i += 2) {
      next.load(odd, weights + 4 * J);
      add(now);
      even += 8 * tile_rows, odd += 8 * tile_rows, weights += 8 * J;
      now.load(even, weights);
      add(next);
    }
    if (quads % 2 == 1) add(now);
    typename Step::Units units;
#pragma unroll
    for (int j = 0; j < J; ++j) units.of[j][0] = group_sums<4>(sums[j]);
    step.finish(units, a);
  }

  /// += a tile's slopes times its features.
  __device__ __forceinline__ void backward(const float* tile, const float* slopes, Sums& sums) const {
    const unsigned f = lane() / 4, c = (lane() % 4) ^ turned(f), groups = (step.width + 7) / 8;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      const float* from = tile + f * tile_rows + 4 * (c ^ (4 * half));
      float4 s[J];
#pragma unroll
      for (int j = 0; j < J; ++j) s[j] = load_here<float4>(slopes + j * tile_rows + 16 * half + 4 * (lane() % 4));
#pragma unroll
      for (unsigned i = 0; i < some; i += 2) {  // by two: what is loaded first has time to come
        if (i + 2 <= groups)
          add_features<2>(from + i * 8 * tile_rows, s, sums.hidden + i * J);
        else if (i < groups)
          add_features<1>(from + i * 8 * tile_rows, s, sums.hidden + i * J);
      }
    }
  }
  template <unsigned count>
  __device__ __forceinline__ static void add_features(const float* from, const float4 (&s)[J], float* sums) {
    float4 x[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) x[i] = load_here<float4>(from + i * 8 * tile_rows);
#pragma unroll
    for (unsigned i = 0; i < count; ++i)
#pragma unroll
      for (int j = 0; j < J; ++j) {
        float& sum = sums[i * J + j];
        sum += s[j].x * x[i].x, sum += s[j].y * x[i].y, sum += s[j].z * x[i].z, sum += s[j].w * x[i].w;
      }
  }

  __device__ __forceinline__ void add(unsigned first, const float* tile, backend::Fit fit, Sums& sums) const {
    const unsigned i = first + lane();
    const bool of_loss = fit == backend::Fit::loss;
    const Goal goal(typename Step::Goal{step, i}, of_loss);
    float a[J] = {}, e[K], slope[J] = {};
    if (fit != backend::Fit::projected) {
      forward(tile, a);
    } else if (i < step.n) {
#pragma unroll
      for (int j = 0; j < J; ++j) a[j] = step.activations[j * step.n + i];
    }
    if (i < step.n) {
      sums.value += step.find_error(goal, of_loss, a, e, slope);
#pragma unroll
      for (int j = 0; j < J; ++j) sums.bias[j] += slope[j];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        if (k >= step.outputs) break;
#pragma unroll
        for (int j = 0; j < J; ++j) sums.output[j * K + k] += e[k] * a[j];
        sums.output[J * K + k] += e[k];
      }
    }
    float* slopes = in_shared<float>(work().at.tile_slopes) + warp() * J * tile_rows;
#pragma unroll
    for (int j = 0; j < J; ++j) slopes[j * tile_rows + lane()] = slope[j];
    __syncwarp();
    backward(tile, slopes, sums);
  }

  /// This warp's sums, in the order of parameters.
  __device__ void hand_over(Sums& sums, float* part) const {
#pragma unroll
    for (unsigned first = 0; first < some * J; first += 4) {
      float four_sums[4];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) four_sums[i] = sums.hidden[first + i];
      const float sum = group_sums<4>(four_sums);
      const unsigned at = first + lane() % 4, f = at / J * 8 + lane() / 4;
      if (f < step.width) part[at % J * step.width + f] = sum;
    }
    constexpr unsigned all = J + (J + 1) * K;
    float* rest = part + step.shape().hidden_bias_at();
#pragma unroll
    for (unsigned first = 0; first < all; first += warp_lanes) {
      float some_sums[warp_lanes] = {};
#pragma unroll
      for (unsigned i = 0; i < warp_lanes && first + i < all; ++i)
        some_sums[i] = first + i < J ? sums.bias[first + i < J ? first + i : 0] : sums.output[first + i < J ? 0 : first + i - J];
      const float sum = warp_sums<int(warp_lanes)>(some_sums);
      const unsigned at = first + lane() - J, j = at / K, k = at % K;
      if (first + lane() < J)
        rest[first + lane()] = sum;
      else if (first + lane() < all && k < step.outputs)
        rest[J + j * step.outputs + k] = sum;
    }
  }

  template <class F>
  __device__ __forceinline__ void sweep(F f) const {
    Tiles<Team, Step>(step).sweep(f);
    meet<Team::warps>();
    if (threadIdx.x == 0) ++work().sweeps;
  }

  // Passes are not inlined: each needs all registers for itself.

  /// All of it; this thread's part of the value. The activations are there already where the output layer was solved
  /// for.
  __device__ __forceinline__ static double evaluate(const double* point, const double* layer, double* gradient,
                                                 backend::Fit fit) {
    const Step step;
    const bool projected = fit == backend::Fit::projected;
    if (!projected) step.load_hidden(point);
    step.load_output(layer);
    meet<Team::warps>();
    const TilePass pass{step, gradient};
    const RegisterPass<Team, Losses, J, K> parts{step, gradient};
    Sums sums;
    pass.sweep([&](unsigned first, const float* tile) { pass.add(first, tile, fit, sums); });
    pass.hand_over(sums, parts.part());
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
    pass.sweep([&](unsigned first, const float* tile) {
      const unsigned i = first + lane();
      const float weight = i < step.n ? step.weight(i) : 0.0f, goal = i < step.n ? step.goals[i] : 0.0f;
      float a[J];
      pass.forward(tile, a);
      if (i >= step.n) return;
      products.add(weight, goal, a);
#pragma unroll
      for (int j = 0; j < J; ++j) step.activations[j * step.n + i] = a[j];
    });
    projection.hand_over(products, 0);
  }
};

}  // namespace accrete::cuda
