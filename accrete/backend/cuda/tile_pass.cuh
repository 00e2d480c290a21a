#pragma once
// Value and gradient of the loss over tiles of rows (tiles.cuh), for direct steps on all rows and features. A lane
// loads four rows of every fourth feature into registers for both the forward and the backward pass. Hidden sums are
// reduced over groups of four lanes, which leaves each lane with one row, whose activations and errors it computes;
// then the four lanes exchange deltas. Sums over rows stay in registers. Features are read once from global and once
// from shared memory.

#include "accrete/backend/cuda/register_pass.cuh"
#include "accrete/backend/cuda/tiles.cuh"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
struct TilePass {
  using Step = FixedRows<Team, Losses, J, K>;
  static constexpr unsigned lane_features = max_tile_features / 4;

  const Step& step;
  double* gradient;

  /// Returns this thread's contribution to the value. Loads the layers itself.
  __device__ __forceinline__ double evaluate(const double* point) const {
    step.load_hidden(point);
    step.load_output(point + step.shape().output_weights_at());
    sync_block<Team::warps>();
    const RegisterPass<Team, Losses, J, K> warps{step, gradient};
    Accumulators sums;
    Tiles<Team, Step>(step).for_tiles([&](const Tile& tile, auto release) { add(tile, release, sums); });
    store_hidden(sums, warps.warp_gradient());
    warps.store(sums.bias, sums.output);
    sync_block<Team::warps>();
    warps.add_warps(point, static_cast<unsigned>(step.shape().size()));
    return sums.value;
  }

 private:
  /// The target of a lane's row, read from the tile.
  struct TileTarget {
    const Step& step;
    const Tile& tile;
    __device__ float weight() const { return step.equal_weight > 0.0f ? step.equal_weight : tile.row_values[0]; }
    __device__ float target(int t) const { return tile.row_values[(1 + t) * tile_rows]; }
    __device__ float offset(int k, bool) const { return tile.offsets[k * tile_rows]; }
  };

  /// This lane's sums over rows.
  struct Accumulators {
    float hidden[lane_features * J] = {}, bias[J] = {}, output[(J + 1) * K] = {};
    double value = 0.0;
  };

  /// A lane's part of a tile: rows 4 (lane / 4) .. + 3 of features lane % 4, 4 + lane % 4, ... Loops over it take two
  /// features at a time and end at the step's last feature.
  struct TileRegisters {
    float4 x[lane_features];

    /// All loads are in flight at once. Narrow steps repeat the last feature, whose copies are not used.
    __device__ __forceinline__ TileRegisters(const float* tile, unsigned width) {
      const unsigned f = lane() % 4, last = static_cast<unsigned>(pad_to(8, width)) / quad - 1;
      const float* from = tile + f * tile_rows + 4 * ((lane() / 4) ^ swizzle(f));
#pragma unroll
      for (unsigned i = 0; i < lane_features; ++i) x[i] = load_volatile<float4>(from + min(i, last) * quad * tile_rows);
    }
  };

  /// Activations of this lane's row.
  __device__ __forceinline__ void forward(const TileRegisters& registers, float (&a)[J]) const {
    const float* weights = step.hidden + lane() % 4 * J;
    float sums[J][4] = {};
#pragma unroll
    for (unsigned i = 0; i < lane_features; i += 2) {
      if (i * 4 >= step.width) break;
      const float4 x[] = {registers.x[i], registers.x[i + 1]};
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
    typename Step::UnitSums unit_sums;
#pragma unroll
    for (int j = 0; j < J; ++j) unit_sums.values[j][0] = group_sums<4>(sums[j]);
    step.activate(unit_sums, a);
  }

  /// Adds the deltas of the rows of four lanes times their features.
  __device__ __forceinline__ void backward(const TileRegisters& registers, const float (&slope)[J],
                                           Accumulators& sums) const {
    float s[J][4];
#pragma unroll
    for (int j = 0; j < J; ++j)
#pragma unroll
      for (unsigned r = 0; r < 4; ++r) s[j][r] = __shfl_sync(full_warp, slope[j], r, 4);
#pragma unroll
    for (unsigned i = 0; i < lane_features; i += 2) {
      if (i * 4 >= step.width) break;
      const float4 x[] = {registers.x[i], registers.x[i + 1]};
#pragma unroll
      for (unsigned k = 0; k < 2; ++k)
#pragma unroll
        for (int j = 0; j < J; ++j) {
          float& sum = sums.hidden[(i + k) * J + j];
          sum += s[j][0] * x[k].x, sum += s[j][1] * x[k].y, sum += s[j][2] * x[k].z, sum += s[j][3] * x[k].w;
        }
    }
  }

  template <class Release>
  __device__ __forceinline__ void add(const Tile& tile, Release release, Accumulators& sums) const {
    const TileRegisters registers(tile.features, step.width);
    release();
    float a[J], e[K], slope[J] = {};
    forward(registers, a);
    if (tile.first_row + lane() < step.n) {
      sums.value += step.compute_error(TileTarget{step, tile}, true, a, e, slope);
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
    backward(registers, slope, sums);
  }

  /// Stores this warp's sums for the hidden weights, in parameter order.
  __device__ void store_hidden(Accumulators& sums, float* to) const {
#pragma unroll
    for (unsigned first = 0; first < lane_features * J; first += 8) {
      float values[8];
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) values[i] = first + i < lane_features * J ? sums.hidden[first + i] : 0.0f;
      const float sum = group_sums<8, 4>(values);
      const unsigned at = first + lane() / 4, f = at / J * 4 + lane() % 4;
      if (f < step.width) to[at % J * step.width + f] = sum;
    }
  }
};

}  // namespace accrete::cuda
