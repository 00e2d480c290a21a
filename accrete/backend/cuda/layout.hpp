#pragma once
// Memory layout of a block of threads and its fit, computed once for the largest fit of a launch. Small arrays are in
// shared memory; what does not fit is in global memory.

#include <algorithm>
#include <cstddef>

#include "accrete/backend/cuda/plan.hpp"
#include "accrete/backend/rows.hpp"

namespace accrete::cuda {

constexpr unsigned steps_per_draw = 32;            ///< steps drawn in one batch, one thread per step
constexpr unsigned max_register_outputs = 4;       ///< with more outputs, sums over rows do not fit into registers
constexpr unsigned max_tile_outputs = 8;           ///< in a pass over tiles, which keeps its sums in registers
constexpr unsigned quad = 4;                       ///< features per 16-byte load
constexpr unsigned max_single_pass_features = 12;  ///< in single_pass.cuh, which has three sums per feature

// Tiles of rows in shared memory (tiles.cuh).
constexpr unsigned max_tile_features = 56;  ///< limited by a lane's registers
constexpr unsigned min_tile_warps = 4;      ///< with fewer warps a pass without tiles is faster

/// Vectors of a solver that shares a multiprocessor with other fits (WarpVectors in warp_vectors.cuh). Pairs are floats
/// because the gradients they are computed from are no more precise.
struct NarrowVectors {
  static constexpr std::size_t pad_multiple = 1;
  using PairValue = float;
};

/// Vectors of a solver that has the multiprocessor to itself: eight elements per lane are in flight. Pairs are doubles
/// because converting a float takes longer than multiplying it.
struct WideVectors {
  static constexpr std::size_t pad_multiple = 256;
  using PairValue = double;
};

constexpr std::size_t pad_to(std::size_t multiple, std::size_t count) {
  return (count + multiple - 1) / multiple * multiple;
}
constexpr std::size_t pad_to_quad(std::size_t count) {
  return pad_to(quad, count);
}
/// Floats per tile. Lanes read features in groups of eight.
constexpr std::size_t tile_size(std::size_t width) {
  return pad_to(8, width) * tile_rows;
}
/// Rows of the hidden weight matrix in shared memory, which is read up to four quads at a time.
constexpr std::size_t hidden_rows(std::size_t width) {
  return pad_to(4 * quad, width);
}

/// Per-thread arrays, one element per output or unit, that a general kernel keeps in global memory.
enum class ThreadArrayId : unsigned {
  targets,
  scores,
  derivatives,
  curvatures,
  slope_sums,
  curvature_sums,
  activations,
  count
};

/// The maximum dimensions over the fits of a launch.
struct LaunchShape {
  std::size_t train_rows = 0, all_rows = 0, drawn_rows = 0, width = 0, units = 0, outputs = 0, targets = 0;
  std::size_t listed_rows = 0;  ///< drawn_rows of fits that draw a row subset

  void include(const FitPlan& plan, const DeviceRows& rows) {
    const auto raise = [](std::size_t& value, std::size_t to) { value = std::max(value, to); };
    raise(train_rows, rows.train_rows);
    raise(all_rows, rows.train_rows + rows.test_rows);
    raise(drawn_rows, plan.drawn_rows);
    raise(listed_rows, plan.drawn_rows < rows.train_rows ? plan.drawn_rows : 0);
    raise(width, plan.width);
    raise(units, plan.units);
    raise(outputs, plan.outputs);
    raise(targets, rows.target_count);
  }
  std::size_t parameters() const { return backend::BlockShape{width, units, outputs}.size(); }
};

struct SolverSize {
  std::size_t state_bytes, workspace_doubles;
};

/// Offsets in bytes into shared and global memory.
struct Layout {
  // Vectors of a step: in shared memory, or in the block's global memory if a general kernel needs it.
  std::size_t parameters, gradient, gram, output_layer, step_scale;  ///< double
  std::size_t hidden, output;                                        ///< float
  std::size_t columns;                                               ///< unsigned: offsets of the step's features
  // Shared memory.
  std::size_t warp_sums;     ///< double
  std::size_t solver_state;  ///< SolverState of descent.cuh
  std::size_t tiles;         ///< float, tile_floats for each of tile_warps warps
  // Shared memory or the block's global memory.
  std::size_t solver_workspace;  ///< double
  std::size_t warp_gradients;    ///< float, one gradient per warp
  std::size_t thread_arrays;     ///< ThreadArrayId::count arrays of thread_array_bytes; general kernels only
  std::size_t thread_array_bytes;
  // The fit's global memory.
  std::size_t step_arrays;                                  ///< float, see StepArrays
  std::size_t scores, residuals, step_output;               ///< float, of all rows
  std::size_t drawn_rows, drawn_features, initial_weights;  ///< of steps_per_draw steps
  bool vectors_shared, workspace_shared, gradients_shared;
  unsigned tile_warps;  ///< 0: no tiles
  unsigned tile_floats;
  std::size_t shared_bytes;  ///< of a block
  std::size_t fit_bytes;     ///< global memory of a fit
  std::size_t block_bytes;   ///< global memory of a block
};

/// State that all threads of a block read, at the start of its shared memory to save registers.
struct BlockState {
  FitPlan plan;
  DeviceRows rows;
  Layout layout;
  char *fit_memory, *block_memory;              ///< global
  GridMemory grid;                              ///< for a fit on all blocks
  const unsigned *drawn_rows, *drawn_features;  ///< of the step; null: all
  double penalty;                               ///< alpha over the number of rows
  double rate;                                  ///< learning rate of the step
  float equal_weight;                           ///< the weight of every row of the step if they are equal, else 0
  unsigned queue_index;
};

/// Reserves bytes at `end`, aligned to 16, and advances it.
constexpr std::size_t reserve(std::size_t& end, std::size_t bytes) {
  const std::size_t start = end;
  end += pad_to(16, bytes);
  return start;
}

/// Memory limits of a block.
struct BlockLimits {
  std::size_t shared_bytes;  ///< for vectors and solver workspace
  unsigned warps;
  bool general = false;        ///< any number of units and outputs
  std::size_t tile_bytes = 0;  ///< shared memory including tiles
};

/// Adds tiles for as many warps as the limit allows.
inline void lay_out_tiles(const LaunchShape& shape, const BlockLimits& limits, Layout& layout) {
  // A tile has its features, and two buffers of weights, targets and offsets of the outputs.
  const std::size_t outputs = shape.outputs == 1 ? 1 : pad_to_quad(shape.outputs);
  const std::size_t bytes = (tile_size(shape.width) + 2 * (1 + 2 * outputs) * tile_rows) * sizeof(float);
  if (limits.tile_bytes < layout.shared_bytes || shape.width > max_tile_features) return;
  const std::size_t warps = std::min<std::size_t>(limits.warps, (limits.tile_bytes - layout.shared_bytes) / bytes);
  if (warps < min_tile_warps) return;
  layout.tile_warps = static_cast<unsigned>(warps);
  layout.tile_floats = static_cast<unsigned>(bytes / sizeof(float));
  layout.tiles = layout.shared_bytes;
  layout.shared_bytes += warps * bytes;
}

/// Reserves the vectors of a step from `end` on, padded as far as kernels read.
inline void lay_out_vectors(const LaunchShape& shape, bool general, Layout& layout, std::size_t& end) {
  const std::size_t n = shape.parameters(), moments = shape.units + 1;
  layout.parameters = reserve(end, n * sizeof(double));
  layout.gradient = reserve(end, (n + 1) * sizeof(double));  // plus the value
  layout.gram = reserve(end, moments * moments * sizeof(double));
  layout.output_layer = reserve(end, moments * shape.outputs * sizeof(double));
  layout.step_scale = reserve(end, shape.outputs * sizeof(double));
  const std::size_t units = general ? pad_to_quad(shape.units) : shape.units;
  layout.hidden = reserve(end, (hidden_rows(shape.width) + 1) * units * sizeof(float));
  layout.output = reserve(end, moments * pad_to_quad(shape.outputs) * sizeof(float));
  layout.columns = reserve(end, pad_to_quad(shape.width) * sizeof(unsigned));
}

inline Layout lay_out(const LaunchShape& shape, const SolverSize& solver, const BlockLimits& limits) {
  Layout layout{};
  const std::size_t n = shape.parameters(), moments = shape.units + 1;
  std::size_t shared = pad_to(16, sizeof(BlockState)), fit = 0, block = 0;
  // Per warp: one sum or, in kernels that keep them in registers, the normal equations.
  const std::size_t sums = limits.general ? 1 : moments * (moments + 3) / 2;
  layout.warp_sums = reserve(shared, limits.warps * sums * sizeof(double));
  layout.solver_state = reserve(shared, solver.state_bytes);
  std::size_t with_vectors = shared;
  lay_out_vectors(shape, limits.general, layout, with_vectors);
  layout.vectors_shared = !limits.general || with_vectors <= limits.shared_bytes;
  if (layout.vectors_shared)
    shared = with_vectors;
  else
    lay_out_vectors(shape, true, layout, block);
  const auto place = [&](std::size_t bytes, bool& is_shared) {
    is_shared = shared + bytes <= limits.shared_bytes;
    return reserve(is_shared ? shared : block, bytes);
  };
  if (!limits.general) layout.warp_gradients = place(limits.warps * n * sizeof(float), layout.gradients_shared);
  layout.solver_workspace = place(solver.workspace_doubles * sizeof(double), layout.workspace_shared);
  if (limits.general) {
    layout.thread_array_bytes = limits.warps * warp_lanes * std::max(shape.outputs, shape.units) * sizeof(double);
    layout.thread_arrays = reserve(block, static_cast<std::size_t>(ThreadArrayId::count) * layout.thread_array_bytes);
  }
  // activations, deltas, errors, weight, targets, offsets
  const std::size_t per_row = 2 * shape.units + shape.outputs + 1 + shape.targets + shape.outputs;
  layout.step_arrays = reserve(fit, per_row * shape.drawn_rows * sizeof(float));
  layout.scores = reserve(fit, shape.outputs * shape.all_rows * sizeof(float));
  layout.residuals = reserve(fit, shape.outputs * shape.train_rows * sizeof(float));
  layout.step_output = reserve(fit, shape.outputs * shape.all_rows * sizeof(float));
  layout.drawn_rows = reserve(fit, steps_per_draw * shape.listed_rows * sizeof(unsigned));
  layout.drawn_features = reserve(fit, steps_per_draw * shape.width * sizeof(unsigned));
  layout.initial_weights = reserve(fit, steps_per_draw * n * sizeof(double));
  layout.shared_bytes = shared;
  lay_out_tiles(shape, limits, layout);
  layout.fit_bytes = pad_to(256, fit);
  layout.block_bytes = pad_to(256, block);
  return layout;
}

}  // namespace accrete::cuda
