#pragma once
// How much memory a block of threads needs for its fit, and where in it things lie. Made once for the largest fit of a
// launch; small arrays lie in shared memory, and those that do not fit there in the block's part of global memory.

#include <algorithm>
#include <cstddef>

#include "accrete/backend/cuda/plan.hpp"
#include "accrete/backend/rows.hpp"

namespace accrete::cuda {

constexpr unsigned draw_ahead = 32;  ///< steps whose draws are made at once, one by each lane of a warp
constexpr unsigned few_outputs =
    4;                        ///< up to so many, sums over rows are in registers, and a step's rows in global memory
constexpr unsigned quad = 4;  ///< features are read so many at a time, the last ones with weights of zero

// A tile of a step: some rows of its features, on their way through shared memory (tiles.cuh).
static_assert(tile_rows == 32);           // one to a lane of the warp whose tile it is
constexpr unsigned tile_sixteen = 16;     ///< tiles of which the same ones stay in the second-level cache
constexpr unsigned tile_features = 56;    ///< at most, with as much in registers as there is room for
constexpr unsigned tile_quads = 16;       ///< room for so many, of features, in a list
constexpr unsigned least_tile_warps = 4;  ///< with fewer at work on tiles, a pass without them is faster

/// How a solver that is one warp keeps its vectors (the rest of the policy is in warp.cuh). A pair's numbers are
/// floats: the gradients that they come of are known no better.
struct WarpVectorsLayout {
  static constexpr std::size_t run = 1;
  using Kept = float;
};

/// The same of one that works on several numbers at once (wide_vectors.cuh). Pairs are doubles: to make a double of a
/// float takes longer than to multiply by it.
struct WideVectorsLayout {
  static constexpr std::size_t run = 256;
  using Kept = double;
};

constexpr std::size_t padded(std::size_t count) {
  return (count + quad - 1) / quad * quad;
}

/// Lanes look at the features of a tile by eight; the last ones are zeros with weights of zero.
constexpr std::size_t tile_width(std::size_t width) {
  return (width + 7) / 8 * 8;
}
/// Floats of a tile's features.
constexpr std::size_t tile_size(std::size_t width) {
  return tile_width(width) * tile_rows;
}

/// A hidden layer's weights are read up to four quads at a time, those of a tile by eight.
constexpr std::size_t hidden_width(std::size_t width) {
  return (width + 4 * quad - 1) / (4 * quad) * (4 * quad);
}

/// A thread's own numbers where registers are not counted out for them: one for each output, or each unit.
enum class Slot : unsigned { targets, scores, derivatives, curvatures, slope_sums, curvature_sums, activations };
constexpr std::size_t slot_count = 7;

/// The largest of what the fits of a launch have.
struct Extent {
  std::size_t train = 0, all = 0, drawn = 0, width = 0, units = 0, outputs = 0, targets = 0;
  std::size_t listed = 0;  ///< drawn rows, where they are not all

  void include(const FitPlan& plan, const DeviceRows& rows) {
    train = std::max<std::size_t>(train, rows.train);
    all = std::max<std::size_t>(all, rows.train + rows.test);
    drawn = std::max<std::size_t>(drawn, plan.drawn);
    listed = std::max<std::size_t>(listed, plan.drawn < rows.train ? plan.drawn : 0);
    width = std::max<std::size_t>(width, plan.width);
    units = std::max<std::size_t>(units, plan.units);
    outputs = std::max<std::size_t>(outputs, plan.outputs);
    targets = std::max<std::size_t>(targets, rows.targets_count);
  }
  std::size_t parameters() const { return backend::BlockShape{width, units, outputs}.size(); }
};

/// What the solver takes: bytes of its own, and doubles of its workspace.
struct SolverRoom {
  std::size_t state, workspace;
};

/// Offsets in bytes.
struct Layout {
  std::size_t parameters, gradient, gram, output_layer, step_scale;  ///< double; shared, or own in a general fit
  std::size_t hidden, output;                                        ///< float; so are they
  std::size_t columns;                                               ///< unsigned, too: of the step's features
  std::size_t sums;                                                  ///< double, shared
  std::size_t solver;                                                ///< shared: its state
  std::size_t workspace;                                             ///< double: its vectors; shared or own
  std::size_t parts;                                                 ///< float: of each warp; shared or own
  std::size_t tiles;                                                 ///< float, shared: of some warps each
  std::size_t tile_columns;                                          ///< unsigned, shared
  std::size_t step_rows;                                             ///< float: of the drawn rows
  std::size_t scores, residuals, moves;                              ///< float, global: of all rows
  std::size_t drawn_rows, drawn_features, initial;                   ///< global: draw_ahead steps
  std::size_t slots, slot_bytes;                                     ///< own, of a general fit: see Slot
  bool vectors_shared, workspace_shared, parts_shared, rows_shared;
  unsigned tile_warps;       ///< warps with room for tiles; 0: no tiles
  unsigned tile_floats;      ///< of a warp's tiles
  unsigned cached_tiles;     ///< of tile_sixteen
  std::size_t shared_bytes;  ///< of one block
  std::size_t global_bytes;  ///< of a fit
  std::size_t own_bytes;     ///< of one block, in global memory
};

/// What every thread of a block reads all the time: at the beginning of its shared memory, so that it takes no
/// registers and is found without an address.
struct Work {
  FitPlan plan;
  DeviceRows rows;
  Layout at;
  char *global, *own;                ///< global memory: the fit's, and of this block alone
  OneMemory together;                ///< of a fit by all blocks
  const unsigned *which, *features;  ///< rows and features of the step; null: all
  double penalty;                    ///< alpha over the number of rows
  double rate;                       ///< of the step
  float weight;                      ///< of every row of the step, together 1; 0: each has its own
  unsigned sweeps;                   ///< over the step's tiles, so far
  unsigned taken;                    ///< place in the queue of fits
};

/// The next so many bytes of what ends at `end`, which moves on.
constexpr std::size_t take(std::size_t& end, std::size_t bytes) {
  const std::size_t start = end;
  end += (bytes + 15) / 16 * 16;
  return start;
}

/// Where what may lie in shared memory goes: there while a block takes no more of it than this.
struct Room {
  std::size_t workspace, rows;  ///< with the solver's vectors; with the step's rows too
  unsigned warps;               ///< of a block
  bool general = false;         ///< any number of units and outputs
  std::size_t tiles = 0;        ///< with tiles too
};

/// Of sixteen tiles, how many a cache of so many bytes has room for, beside what else is in it.
inline unsigned tiles_to_cache(const Extent& e, std::size_t cache) {
  const double tiles = static_cast<double>(e.train * e.width * sizeof(float));
  return static_cast<unsigned>(std::min(1.0, 0.5 * static_cast<double>(cache) / tiles) * tile_sixteen);
}

/// Tiles for as many warps as there is room for.
inline void lay_out_tiles(const Extent& e, const Room& room, Layout& at) {
  // Weight, goals and offsets of two tiles, of as many outputs as the kernel may go through.
  const std::size_t lists = 2 * (1 + 2 * (e.outputs == 1 ? 1 : padded(e.outputs))) * tile_rows;
  const std::size_t each = (tile_size(e.width) + lists) * sizeof(float);
  const std::size_t columns = quad * tile_quads * sizeof(unsigned);
  if (room.tiles < at.shared_bytes + columns || e.width > tile_features) return;
  const std::size_t warps = std::min<std::size_t>(room.warps, (room.tiles - at.shared_bytes - columns) / each);
  if (warps < least_tile_warps) return;
  at.tile_warps = static_cast<unsigned>(warps);
  at.tile_floats = static_cast<unsigned>(each / sizeof(float));
  at.tiles = at.shared_bytes;
  at.tile_columns = at.tiles + warps * each;
  at.shared_bytes = at.tile_columns + columns;
}

/// The vectors of a step, from `end` on.
inline void lay_out_vectors(const Extent& e, bool general, Layout& at, std::size_t& end) {
  const std::size_t d = sizeof(double), f = sizeof(float), n = e.parameters(), moments = e.units + 1;
  at.parameters = take(end, n * d);
  at.gradient = take(end, (n + 1) * d);  // and the value
  at.gram = take(end, moments * moments * d);
  at.output_layer = take(end, moments * e.outputs * d);
  at.step_scale = take(end, e.outputs * d);
  at.hidden = take(end, (hidden_width(e.width) + 1) * (general ? padded(e.units) : e.units) * f);
  at.output = take(end, moments * padded(e.outputs) * f);  // as many as a kernel may go through
  at.columns = take(end, padded(e.width) * sizeof(unsigned));
}

inline Layout lay_out(const Extent& e, const SolverRoom& solver, const Room& room) {
  Layout at{};
  const std::size_t d = sizeof(double), f = sizeof(float), n = e.parameters(), moments = e.units + 1;
  std::size_t shared = (sizeof(Work) + 15) / 16 * 16, global = 0, own = 0;
  // For each warp one sum or, where a warp has them in registers, the normal equations.
  at.sums = take(shared, room.warps * (room.general ? 1 : moments * (moments + 3) / 2) * d);
  at.solver = take(shared, solver.state);
  std::size_t with_vectors = shared;
  lay_out_vectors(e, room.general, at, with_vectors);
  at.vectors_shared = !room.general || with_vectors <= room.workspace;
  if (at.vectors_shared)
    shared = with_vectors;
  else
    lay_out_vectors(e, true, at, own);
  const auto place = [&](std::size_t bytes, std::size_t& elsewhere, std::size_t most, bool& is_shared) {
    is_shared = shared + bytes <= most;
    return take(is_shared ? shared : elsewhere, bytes);
  };
  if (!room.general) at.parts = place(room.warps * n * f, own, room.workspace, at.parts_shared);
  at.workspace = place(solver.workspace * d, own, room.workspace, at.workspace_shared);
  if (room.general) {
    at.slot_bytes = room.warps * 32 * std::max(e.outputs, e.units) * d;
    at.slots = take(own, slot_count * at.slot_bytes);
  }
  // activations, their slopes, errors; weight, targets and scores of the step
  const std::size_t per_row = 2 * e.units + e.outputs + 1 + e.targets + e.outputs;
  at.step_rows =
      place(per_row * e.drawn * f, global, !room.general && e.outputs > few_outputs ? room.rows : 0, at.rows_shared);
  at.scores = take(global, e.outputs * e.all * f);
  at.residuals = take(global, e.outputs * e.train * f);
  at.moves = take(global, e.outputs * e.all * f);
  at.drawn_rows = take(global, draw_ahead * e.listed * sizeof(unsigned));
  at.drawn_features = take(global, draw_ahead * e.width * sizeof(unsigned));
  at.initial = take(global, draw_ahead * n * d);
  at.shared_bytes = shared;
  lay_out_tiles(e, room, at);
  at.global_bytes = (global + 255) / 256 * 256;
  at.own_bytes = (own + 255) / 256 * 256;
  return at;
}

}  // namespace accrete::cuda
