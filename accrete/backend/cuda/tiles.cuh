#pragma once
// Tiles of 32 rows in shared memory: features, and what the rows are fitted to. Each warp has its own tile and copies
// the next one asynchronously while it computes, without waiting for other warps. There is one buffer for features,
// because a warp loads them all into registers before it starts the next copy, and two for the rest, which is read
// later.
//
// Passes alternate their direction, so that the first tile of a pass is still in shared memory from the last.

#include "accrete/backend/cuda/fixed_rows.cuh"

namespace accrete::cuda {

/// Copies 16 bytes to shared memory asynchronously.
__device__ inline void copy_async(float* to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
/// Copies one float.
__device__ inline void copy_float_async(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
__device__ inline void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}

/// Rows 4c..4c + 3 of feature f are at [f][c ^ swizzle(f)], which avoids bank conflicts between four features.
__device__ constexpr unsigned swizzle(unsigned f) {
  return 2 * (f % 4);
}

/// A tile in shared memory. lists: weight and targets of this lane's row; output_lists: those with one value per output
/// (offsets in a direct step, else residuals).
struct Tile {
  unsigned first_row;
  const float *features, *lists, *output_lists;
};

/// The tiles of this warp.
template <class Team, class Step>
class Tiles {
 public:
  __device__ explicit Tiles(const Step& step) : step_(step) {
    const RowRange range = Team::row_range(step.n);
    const unsigned all = (range.end - range.first + tile_rows - 1) / tile_rows, warps = layout().tile_warps;
    count_ = warp() < warps && warp() < all ? (all - warp() + warps - 1) / warps : 0;
    first_row_ = range.first + warp() * tile_rows;
    row_step_ = warps * tile_rows;
    lists_ = step.list_count();
    output_lists_ = lists_ - step.outputs;
    buffer_ = in_shared<float>(layout().tiles) + warp() * layout().tile_floats;
  }

  /// f(tile, release) for each tile. f calls release() when the features may be overwritten.
  template <class F>
  __device__ __forceinline__ void for_tiles(F f) const {
    const bool backward = state().sweeps % 2 == 1;
    if (state().sweeps == 0) {
      clear_padding();
      fetch(0);
    }
    for (unsigned done = 0, t = backward ? count_ - 1 : 0; done < count_; ++done) {
      wait_for_copies();
      __syncwarp();
      f(Tile{first_row(t), buffer_, lists(t), lists(t) + output_lists_ * tile_rows}, [&] {
        __syncwarp();
        fetch(backward ? t - 1 : t + 1);
      });
      backward ? --t : ++t;
    }
    wait_for_copies();
  }

 private:
  __device__ unsigned first_row(unsigned t) const { return first_row_ + t * row_step_; }
  __device__ unsigned size() const { return static_cast<unsigned>(tile_size(step_.width)); }
  /// Weight, targets and offsets of this lane's row of tile t.
  __device__ float* lists(unsigned t) const {
    return buffer_ + size() + t % 2 * (Step::max_lists * tile_rows) + lane();
  }

  /// Zeroes what is never copied: padding features, and lists of padding classes.
  __device__ void clear_padding() const {
    for (unsigned at = static_cast<unsigned>(pad_to_quad(step_.width)) * tile_rows + lane(); at < size();
         at += tile_rows)
      buffer_[at] = 0.0f;
    for (unsigned list = lists_; list < Step::max_lists; ++list)
      lists(0)[list * tile_rows] = lists(1)[list * tile_rows] = 0.0f;
  }

  /// Starts to copy tile t, if there is one: eight lanes per feature, four features at a time.
  __device__ __forceinline__ void fetch(unsigned t) const {
    if (t < count_) {
      const unsigned f = lane() / 8, c = lane() % 8;
      const float* from = step_.x + step_.row_offset(first_row(t)) + 4 * c;
      float* to = buffer_ + f * tile_rows + 4 * (c ^ swizzle(f));
      if (state().drawn_features)
        fetch_drawn(from, to);
      else
        fetch_all(from + f * tile_rows, to);
      fetch_lists(first_row(t) + lane(), lists(t));
    }
    commit_copies();
  }
  /// The weight is not copied if it is the same for all rows.
  __device__ __forceinline__ void fetch_lists(unsigned i, float* to) const {
    if (i >= step_.n) return;
    const float* from = step_.weights + i;
    if (!(step_.equal_weight > 0.0f)) copy_float_async(to, from);
#pragma unroll
    for (unsigned list = 1; list < Step::max_lists; ++list) {
      if (list >= lists_) break;
      copy_float_async(to + list * tile_rows, from + list * step_.n);
    }
  }
  /// All features: they are contiguous.
  __device__ __forceinline__ void fetch_all(const float* from, float* to) const {
#pragma unroll
    for (unsigned i = 0; i < max_tile_features / quad; ++i) {
      if (i * quad >= step_.width) break;
      copy_async(to + i * quad * tile_rows, from + i * quad * tile_rows);
    }
  }
  __device__ __forceinline__ void fetch_drawn(const float* from, float* to) const {
    const unsigned* columns = step_.tile_columns + lane() / 8 * max_tile_quads;
    const unsigned quads = (step_.width + quad - 1) / quad;
#pragma unroll 1
    for (unsigned i = 0; i < quads; i += 4, columns += 4, to += 16 * tile_rows) {
      const uint4 at = load_volatile<uint4>(columns);
      copy_async(to, from + at.x);
      if (i + 1 < quads) copy_async(to + 4 * tile_rows, from + at.y);
      if (i + 2 < quads) copy_async(to + 8 * tile_rows, from + at.z);
      if (i + 3 < quads) copy_async(to + 12 * tile_rows, from + at.w);
    }
  }

  const Step& step_;
  unsigned count_, first_row_, row_step_;
  unsigned lists_, output_lists_;  ///< arrays per row; index of the first with a value per output
  float* buffer_;
};

}  // namespace accrete::cuda
