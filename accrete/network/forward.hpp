#pragma once
// Scores of a network or of any prefix of it.

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "accrete/core/aligned.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/data/sparse.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {

/// Encoded rows, read tile by tile, or as a sparse matrix.
struct TileSource {
  std::size_t rows, tile_rows;
  std::size_t scratch;  ///< floats of scratch that read needs
  /// Returns the tile, or scratch filled with it; feature f of row r is at [f * tile_rows + r].
  std::function<const float*(std::size_t tile, float* scratch)> read;

  const data::SparseRows* sparse = nullptr;  ///< if set, holds the rows, and read is not used

  static TileSource of(const core::TiledMatrix& features);  ///< keeps a reference
  static TileSource of(const data::SparseRows& features);   ///< keeps a reference
  std::size_t tiles() const { return (rows + tile_rows - 1) / tile_rows; }
};

/// rows x outputs scores of the prefix of `steps` steps.
core::Matrix<double> forward(const Network& network, const core::TiledMatrix& features, std::size_t steps,
                             core::Workers& workers);

core::Matrix<double> forward(const Network& network, TileSource features, std::size_t steps, core::Workers& workers);

/// The scores of one row, without allocation. features: network.features() values; scores: network.outputs().
void forward_row(const Network& network, std::span<const float> features, std::size_t steps, std::span<double> scores);

/// Scores of successive prefixes; each costs only the units of its last step.
class StagedForward {
 public:
  /// Starts with the prefix of `steps` steps. Keeps references to its arguments.
  StagedForward(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                std::size_t steps = 0);
  StagedForward(const Network& network, TileSource features, core::Workers& workers, std::size_t steps = 0);

  /// Adds one step; false without effect after the last step.
  bool next();

  std::size_t steps() const { return steps_; }
  core::MatrixView<const double> scores() const { return scores_; }  ///< rows x outputs; next() overwrites them
  core::Matrix<double> take_scores() && { return std::move(scores_); }

 private:
  void add_units_from(std::size_t first);

  const Network& network_;
  TileSource features_;
  core::Workers& workers_;
  std::size_t steps_;
  std::size_t size_;                         ///< sums per tile: outputs x tile_rows
  core::AlignedVector<double> full_groups_;  ///< TileSums of all tiles
  core::AlignedVector<float> partial_group_;
  core::Matrix<double> scores_;
};

/// Scores of all prefixes in one pass over the units: calls visit(steps, scores) for steps = 0, 1, ...,
/// network.steps(). scores is overwritten between calls.
void forward_staged(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& visit);
void forward_staged(const Network& network, TileSource features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& visit);

}  // namespace accrete::network
