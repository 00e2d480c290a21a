#pragma once
// A step's rows on their way through shared memory, a tile of 32 at a time: their features, and what they are fitted
// to. Each warp has its own tiles: while it works on one, the next is being copied by the memory system itself, and no
// warp waits for another. Of features there is room for one tile, since a warp takes them all into registers before it
// asks for the next; the rest stays where it is until it is wanted, and has two places that take turns.
//
// Evaluations go through the tiles to and fro, so that the first one of a sweep is still there from the last. Of the
// others the second-level cache keeps as many as it has room for, always the same ones, spread over the sweep: the rest
// makes way first. So the cache and the memory behind it are at work at the same time, and not one after the other.

#include <cstdint>

#include "accrete/backend/cuda/step_rows.cuh"

namespace accrete::cuda {

/// How long the second-level cache is to keep what is copied: as long as other things, or not as long.
__device__ inline std::uint64_t cache_policy(bool keep) {
  std::uint64_t normal, first;
  asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(normal));
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
  return keep ? normal : first;
}

/// Sixteen bytes to shared memory, not waited for.
__device__ inline void copy_ahead(float* to, const float* from, std::uint64_t policy) {
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "l"(policy)
               : "memory");
}
/// One number.
__device__ inline void copy_number_ahead(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
/// What was copied since the last time is one lot.
__device__ inline void close_lot() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// All lots are there.
__device__ inline void wait_for_lots() {
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}

/// Where the four rows 4c to 4c + 3 of feature f lie: at [f][c ^ turned(f)]. Then two times four rows of four features
/// do not meet in a bank.
__device__ constexpr unsigned turned(unsigned f) {
  return 2 * (f % 4);
}

/// A tile that is there: its first row, its features, and what this lane's row is fitted to: weight and targets, and
/// from somewhere on a number for each output.
struct Tile {
  unsigned first;
  const float *features, *goals, *numbers;
};

/// This warp's tiles. whole: all of a tile's features are there, and none is looked for.
template <class Team, class Step, bool whole>
class Tiles {
 public:
  __device__ explicit Tiles(const Step& step) : step_(step) {
    const Run mine = Team::share(step.n);
    const unsigned all = (mine.to - mine.from + tile_rows - 1) / tile_rows, warps = work().at.tile_warps;
    count_ = warp() < warps && warp() < all ? (all - warp() + warps - 1) / warps : 0;
    from_ = mine.from + warp() * tile_rows;
    apart_ = warps * tile_rows;
    lists_ = step.list_count();
    numbers_ = lists_ - step.outputs;
    room_ = in_shared<float>(work().at.tiles) + warp() * work().at.tile_floats;
  }

  /// f(tile, done) for each tile, to or fro; it calls done() when the features' place may be the next tile's.
  template <class F>
  __device__ __forceinline__ void sweep(F f) const {
    const bool back = work().sweeps % 2 == 1;
    if (work().sweeps == 0) {
      fill_up();
      fetch(0);
    }
    for (unsigned done = 0, t = back ? count_ - 1 : 0; done < count_; ++done) {
      wait_for_lots();
      __syncwarp();
      f(Tile{first_row(t), room_, goals(t), goals(t) + numbers_ * tile_rows}, [&] {
        __syncwarp();
        fetch(back ? t - 1 : t + 1);
      });
      back ? --t : ++t;
    }
    wait_for_lots();
  }

 private:
  __device__ unsigned first_row(unsigned t) const { return from_ + t * apart_; }
  __device__ unsigned size() const { return whole ? tile_features * tile_rows : tile_size(step_.width); }
  /// Of this lane's row of a tile.
  __device__ float* goals(unsigned t) const { return room_ + size() + t % 2 * (Step::most_lists * tile_rows) + lane(); }

  /// What nothing is copied to: features that fill the last eight up, and numbers of classes that are not there.
  __device__ void fill_up() const {
    for (unsigned at = static_cast<unsigned>(padded(step_.width)) * tile_rows + lane(); at < size(); at += tile_rows)
      room_[at] = 0.0f;
    for (unsigned list = lists_; list < Step::most_lists; ++list)
      goals(0)[list * tile_rows] = goals(1)[list * tile_rows] = 0.0f;
  }

  /// Eight lanes to a feature, four features at once. Rows beyond the last are zeros, and there is no tile before the
  /// first or after the last.
  __device__ __forceinline__ void fetch(unsigned t) const {
    if (t < count_) {
      const unsigned f = lane() / 8, c = lane() % 8;
      const float* from = step_.x + step_.place(first_row(t)) + 4 * c;
      float* to = room_ + f * tile_rows + 4 * (c ^ turned(f));
      const std::uint64_t policy = cache_policy((t + warp()) * 11 % tile_sixteen < work().at.cached_tiles);
      if (work().features)
        fetch_listed(from, to, policy);
      else
        fetch_all(from + f * tile_rows, to, policy);
      fetch_goals(first_row(t) + lane(), goals(t));
    }
    close_lot();
  }
  /// As they lie in memory, list by list. All rows' weight may be one.
  __device__ __forceinline__ void fetch_goals(unsigned i, float* to) const {
    if (i >= step_.n) return;
    const float* from = step_.weights + i;
    if (!(step_.even_weight > 0.0f)) copy_number_ahead(to, from);
#pragma unroll
    for (unsigned list = 1; list < Step::most_lists; ++list) {
      if (list >= lists_) break;
      copy_number_ahead(to + list * tile_rows, from + list * step_.n);
    }
  }
  /// They lie side by side.
  __device__ __forceinline__ void fetch_all(const float* from, float* to, std::uint64_t policy) const {
#pragma unroll
    for (unsigned i = 0; i < tile_features / quad; ++i) {
      if (!whole && i * quad >= step_.width) break;
      copy_ahead(to + i * quad * tile_rows, from + i * quad * tile_rows, policy);
    }
  }
  __device__ __forceinline__ void fetch_listed(const float* from, float* to, std::uint64_t policy) const {
    const unsigned* columns = step_.tile_columns + lane() / 8 * tile_quads;
    const unsigned quads = (step_.width + quad - 1) / quad;
#pragma unroll 1
    for (unsigned i = 0; i < quads; i += 4, columns += 4, to += 16 * tile_rows) {
      const uint4 at = load_here<uint4>(columns);
      copy_ahead(to, from + at.x, policy);
      if (i + 1 < quads) copy_ahead(to + 4 * tile_rows, from + at.y, policy);
      if (i + 2 < quads) copy_ahead(to + 8 * tile_rows, from + at.z, policy);
      if (i + 3 < quads) copy_ahead(to + 12 * tile_rows, from + at.w, policy);
    }
  }

  const Step& step_;
  unsigned count_, from_, apart_;  ///< tiles; first row; rows from tile to tile
  unsigned lists_, numbers_;       ///< of what rows are fitted to; the first of the outputs' numbers
  float* room_;
};

}  // namespace accrete::cuda
