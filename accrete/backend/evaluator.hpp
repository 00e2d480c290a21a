#pragma once
// Value, gradient and curvature of a block over rows of the CPU backend: runs the kernel over chunks of them and joins
// what the chunks give.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/resident_rows.hpp"

namespace accrete::backend {

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
  bool backwards_ = false;   ///< whether chunks were last gone through from the end
  std::size_t waiting_ = 1;  ///< tiles whose deltas are kept
  std::size_t groups_ = 1;   ///< scratch rooms: chunks are dealt to them in runs
  TileBlock block_{};
  std::vector<std::size_t> drawn_;             ///< the view's features
  std::vector<data::FeatureSource> sources_;   ///< of all of them
  std::vector<data::FeatureSource> features_;  ///< those that are multiplied
  Lookup lookup_;                              ///< the others
  core::AlignedVector<float> weights_;         ///< the block's layers and ones
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
