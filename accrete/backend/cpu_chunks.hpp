#pragma once
// The parts of the CPU backend: rows laid out tile by tile, and the evaluator that runs the kernel over chunks of them.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Most rows whose sums are joined in float lanes before they go to double; also the unit of work of a thread.
inline constexpr std::size_t chunk_rows = 1024;

/// Multiply-adds below which a second thread costs more than it brings.
inline constexpr std::size_t worth_a_thread = 60'000;

struct TileRange {
  std::size_t first, last;
};

/// Two chunks at least, where there are two tiles: a second thread is worth while long before 1,024 rows.
inline std::size_t tiles_per_chunk(const data::Features& x) {
  return std::max<std::size_t>(1, std::min(chunk_rows / x.tile_rows(), (x.tiles() + 1) / 2));
}
inline std::size_t chunk_count(const data::Features& x) {
  return (x.tiles() + tiles_per_chunk(x) - 1) / tiles_per_chunk(x);
}
inline TileRange chunk_tiles(const data::Features& x, std::size_t chunk) {
  const std::size_t per = tiles_per_chunk(x);
  return {chunk * per, std::min(x.tiles(), (chunk + 1) * per)};
}

/// Everything that goes with the features, tile after tile: targets, weights, current scores, residuals.
struct ResidentRows {
  const data::Features* x = nullptr;
  std::size_t outputs = 0, target_columns = 0;
  core::AlignedVector<float> targets;    ///< tiles x target_columns x tile_rows
  core::AlignedVector<float> weights;    ///< tiles x tile_rows; 0 past the last row
  core::AlignedVector<float> base;       ///< tiles x outputs x tile_rows: current scores
  core::AlignedVector<float> residuals;  ///< likewise
  double total_weight = 0.0;

  const float* weight(std::size_t tile) const { return weights.data() + tile * x->tile_rows(); }
  float* score(std::size_t tile) { return base.data() + tile * outputs * x->tile_rows(); }
  const float* residual(std::size_t tile) const { return residuals.data() + tile * outputs * x->tile_rows(); }
  float* residual(std::size_t tile) { return residuals.data() + tile * outputs * x->tile_rows(); }

  /// For Fit::loss the targets and the scores they are compared at; else the residuals, compared with nothing added.
  TileRows tile(std::size_t tile, Fit fit) const { return chunk({tile, tile + 1}, fit).first; }
  ChunkRows chunk(TileRange tiles, Fit fit) const;
  /// The listed rows, whose features are `selected`, into result, whose memory is used again.
  void select(std::span<const std::size_t> rows, const data::Features& selected, ResidentRows& result) const;
};

ResidentRows rows_of(const Source& source);

/// Value and gradient of a block over resident rows. Memory is taken in look_at and measure; evaluate
/// allocates nothing.
class Evaluator {
 public:
  void look_at(const ResidentRows& rows, const BlockShape& shape, const StepView& view, const Source& source);
  void measure(Fit fit);
  double evaluate(std::span<const double> parameters, std::span<double> gradient);
  void project(std::span<const double> hidden, std::span<double> output_layer);
  /// The hidden outputs of all tiles of these rows, if they are those of the last projection; else null. Bit for bit
  /// what a forward pass would compute.
  const float* hidden_outputs(const network::Block& block, const ResidentRows& rows) const;
  void curvature(std::span<double> matrix);
  std::size_t rows() const { return rows_->x->rows(); }  ///< looked at

 private:
  void sum_targets();
  void project_at(std::span<const double> hidden);
  void set_hidden(std::span<const double> parameters);
  void set_output(std::span<const double> output_layer);
  template <class F>
  void run_chunks(const F& f);
  double join(std::span<const double> parameters, std::span<double> gradient);
  TileScratch scratch_in(std::size_t group);

  const ResidentRows* rows_ = nullptr;
  core::Workers* workers_ = nullptr;
  BlockShape shape_;
  Fit fit_ = Fit::squares;
  double alpha_over_n_ = 0.0;
  std::size_t groups_ = 1;  ///< scratch rooms: chunks are dealt to them in runs
  TileBlock block_{};
  std::vector<std::size_t> drawn_;             ///< the view's features
  std::vector<data::FeatureSource> sources_;   ///< of all of them
  std::vector<data::FeatureSource> features_;  ///< those that are multiplied
  Lookup lookup_;                              ///< the others
  core::AlignedVector<float> weights_;         ///< the block's layers, ones and zeros
  core::AlignedVector<float> room_;            ///< scratch of all groups
  core::AlignedVector<float> hidden_;          ///< projected: hidden outputs of every tile
  std::vector<double> projected_;              ///< the hidden layer they belong to; empty: none
  std::vector<const float*> pointers_;
  std::vector<double> part_;  ///< chunks x (1 + parameters): value, then sums
  std::vector<double> gram_, bias_row_, output_layer_, square_, right_;
  core::AlignedVector<float> columns_;  ///< of a tile, for the curvature
  std::vector<double> products_;
};

}  // namespace accrete::backend
