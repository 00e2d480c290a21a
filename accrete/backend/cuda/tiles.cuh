#pragma once
// A step's features on their way through shared memory, a tile of 32 rows at a time. Each warp has its own tiles: while
// it works on one, the next is being copied by the memory system itself, and no warp waits for another.
//
// Evaluations go through the tiles to and fro. So the first ones of a sweep are still there from the last, and of
// the others the second-level cache has a part.

#include "accrete/backend/cuda/step_rows.cuh"

namespace accrete::cuda {

/// Sixteen bytes to shared memory, not waited for.
__device__ inline void copy_ahead(float* to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
/// What was copied since the last time is one lot.
__device__ inline void close_lot() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// All lots are there but the last so many.
template <unsigned lots>
__device__ inline void wait_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(lots) : "memory");
}

/// Where the four rows 4c to 4c + 3 of feature f lie: at [f][c ^ turned(f)]. Then two times four rows of four features
/// do not meet in a bank.
__device__ constexpr unsigned turned(unsigned f) {
  return 2 * (f % 4);
}

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
    size_ = static_cast<unsigned>(tile_size(step.width));
    room_ = in_shared<float>(work().at.tiles) + warp() * tile_stages * size_;
  }

  /// f(first row, tile, done) for each tile, to or fro; it calls done() when the tile's place may be the next one's.
  template <class F>
  __device__ __forceinline__ void sweep(F f) const {
    const bool back = work().sweeps % 2 == 1;
    if (work().sweeps == 0)
      for (unsigned t = 0; t < tile_stages; ++t) {
        for (unsigned at = static_cast<unsigned>(padded(step_.width)) * tile_rows + lane(); at < size_; at += tile_rows)
          tile(t)[at] = 0.0f;
        fetch(t);
      }
    for (unsigned done = 0, t = back ? count_ - 1 : 0; done < count_; ++done) {
      wait_but<tile_stages - 1>();
      __syncwarp();
      f(first_row(t), tile(t), [&] {
        __syncwarp();
        fetch(back ? t - tile_stages : t + tile_stages);
      });
      back ? --t : ++t;
    }
    wait_but<0>();
  }

 private:
  __device__ unsigned first_row(unsigned t) const { return from_ + t * apart_; }
  __device__ float* tile(unsigned t) const { return room_ + t % tile_stages * size_; }

  /// Eight lanes to a feature, four features at once. Rows beyond the last are zeros, and there is no tile before the
  /// first or after the last.
  __device__ __forceinline__ void fetch(unsigned t) const {
    if (t < count_) {
      const unsigned f = lane() / 8, c = lane() % 8;
      const float* from = step_.x + step_.place(first_row(t)) + 4 * c;
      float* to = tile(t) + f * tile_rows + 4 * (c ^ turned(f));
      if (work().features)
        fetch_listed(from, to, step_.tile_columns + f * tile_quads);
      else
        fetch_all(from + f * tile_rows, to);
    }
    close_lot();
  }
  /// They lie side by side.
  __device__ __forceinline__ void fetch_all(const float* from, float* to) const {
#pragma unroll
    for (unsigned i = 0; i < tile_features / quad; ++i) {
      if (!whole && i * quad >= step_.width) break;
      copy_ahead(to + i * quad * tile_rows, from + i * quad * tile_rows);
    }
  }
  __device__ __forceinline__ void fetch_listed(const float* from, float* to, const unsigned* columns) const {
    const unsigned quads = (step_.width + quad - 1) / quad;
#pragma unroll 1
    for (unsigned i = 0; i < quads; i += 4, columns += 4, to += 16 * tile_rows) {
      const uint4 at = load_here<uint4>(columns);
      copy_ahead(to, from + at.x);
      if (i + 1 < quads) copy_ahead(to + 4 * tile_rows, from + at.y);
      if (i + 2 < quads) copy_ahead(to + 8 * tile_rows, from + at.z);
      if (i + 3 < quads) copy_ahead(to + 12 * tile_rows, from + at.w);
    }
  }

  const Step& step_;
  unsigned count_, from_, apart_, size_;  ///< tiles; first row; rows from tile to tile; floats of a tile
  float* room_;
};

}  // namespace accrete::cuda
