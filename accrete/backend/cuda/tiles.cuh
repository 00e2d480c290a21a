#pragma once
// Tiles of 32 rows in shared memory: features, and the rows' targets. Each warp has its own tile and copies the next
// one asynchronously while it computes, without waiting for other warps. There is one buffer for features, because a
// warp loads them all into registers before it starts the next copy, and two for the targets, which are read later.

#include "accrete/backend/cuda/copy_async.cuh"
#include "accrete/backend/cuda/fixed_rows.cuh"

namespace accrete::cuda {

/// Rows 4c .. 4c + 3 of feature f are at [f][c ^ swizzle(f)], which avoids bank conflicts between four features.
__device__ constexpr unsigned swizzle(unsigned f) {
  return 2 * (f % 4);
}

/// A tile in shared memory. row_values: weight, then targets of this lane's row; offsets: current scores of this lane's
/// row.
struct Tile {
  unsigned first_row;
  const float *features, *row_values, *offsets;
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
    buffer_ = in_shared<float>(layout().tiles) + warp() * layout().tile_floats;
  }

  /// Calls f(tile, release) for each tile. f calls release() when the features may be overwritten.
  template <class F>
  __device__ __forceinline__ void for_tiles(F f) const {
    if (count_ == 0) return;  // a warp without tiles may have no buffer
    clear_padding();
    fetch(0);
    for (unsigned t = 0; t < count_; ++t) {
      wait_for_copies();
      __syncwarp();
      f(Tile{first_row(t), buffer_, row_values(t), row_values(t) + (1 + rows().target_count) * tile_rows}, [&] {
        __syncwarp();
        fetch(t + 1);
      });
    }
  }

 private:
  __device__ unsigned first_row(unsigned t) const { return first_row_ + t * row_step_; }
  __device__ unsigned size() const { return static_cast<unsigned>(tile_size(step_.width)); }
  /// Weight, targets and offsets of this lane's row of tile t.
  __device__ float* row_values(unsigned t) const {
    return buffer_ + size() + t % 2 * (max_row_values * tile_rows) + lane();
  }
  __device__ unsigned row_value_count() const { return 1 + rows().target_count + step_.outputs; }

  /// Zeroes the padding features, which the copies do not write.
  __device__ void clear_padding() const {
    for (unsigned at = static_cast<unsigned>(pad_to_quad(step_.width)) * tile_rows + lane(); at < size();
         at += tile_rows)
      buffer_[at] = 0.0f;
  }

  /// Starts the copy of tile t, if it exists: eight lanes per feature, four features at a time.
  __device__ __forceinline__ void fetch(unsigned t) const {
    if (t < count_) {
      const unsigned f = lane() / 8, c = lane() % 8;
      const float* from = step_.x + step_.row_offset(first_row(t)) + f * tile_rows + 4 * c;
      float* to = buffer_ + f * tile_rows + 4 * (c ^ swizzle(f));
#pragma unroll
      for (unsigned i = 0; i < max_tile_features / quad; ++i) {
        if (i * quad >= step_.width) break;
        copy_async(to + i * quad * tile_rows, from + i * quad * tile_rows);
      }
      fetch_row_values(first_row(t) + lane(), row_values(t));
    }
    commit_copies();
  }
  /// Does not copy the weight if all rows have the same.
  __device__ __forceinline__ void fetch_row_values(unsigned i, float* to) const {
    if (i >= step_.n) return;
    const float* from = step_.weights + i;
    if (!(step_.equal_weight > 0.0f)) copy_float_async(to, from);
#pragma unroll
    for (unsigned v = 1; v < max_row_values; ++v) {
      if (v >= row_value_count()) break;
      copy_float_async(to + v * tile_rows, from + v * step_.n);
    }
  }

  static constexpr unsigned max_row_values = 1 + 2 * Step::max_outputs;  ///< weight, targets and offsets of a row

  const Step& step_;
  unsigned count_, first_row_, row_step_;
  float* buffer_;
};

}  // namespace accrete::cuda
