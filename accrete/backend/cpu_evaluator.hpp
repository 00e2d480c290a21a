#pragma once
// Value and gradient of a block over rows of the CPU backend, and its curvature (block_curvature.hpp). Runs the kernels
// on this rank's chunks and reduces the sums of all chunks by a fixed tree (comm/tree_sum.hpp).

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/block_curvature.hpp"
#include "accrete/backend/block_evaluator.hpp"
#include "accrete/backend/block_weights.hpp"
#include "accrete/backend/output_layer_solver.hpp"
#include "accrete/backend/resident_lookup_rows.hpp"
#include "accrete/backend/resident_rows.hpp"
#include "accrete/comm/tree_sum.hpp"

namespace accrete::backend {

/// set_view and set_objective allocate; evaluate does not.
class CpuEvaluator final : public BlockEvaluator {
 public:
  void set_view(const ResidentRows& rows, const BlockShape& shape, const StepView& view,
                const TrainingProblem& problem) override;
  void set_objective(StepObjective objective) override;
  double evaluate(std::span<const double> parameters, std::span<double> gradient) override;
  void project(std::span<const double> hidden, std::span<double> output_layer) override;
  void curvature(std::span<double> matrix) override;
  const float* hidden_outputs(const network::Block& block, const ResidentRows& rows) const override;
  std::size_t rows() const override { return rows_->chunks.rows; }

 private:
  void allocate_scratch();
  void sum_targets();
  void solve_output_layer(std::span<const double> hidden);
  void set_hidden(std::span<const double> parameters);
  template <class F>
  void run_chunks(const F& f);
  BlockShape dense_shape() const { return {lookup_.dense().size(), shape_.units, shape_.outputs}; }
  void expand_gradient(std::span<const double> dense, std::span<double> gradient);
  double reduce_chunks(std::span<const double> parameters, std::span<double> gradient);
  TileScratch segment_scratch(std::size_t segment);
  void write_sparse_gradients(std::span<double> gradient);

  const ResidentRows* rows_ = nullptr;
  core::Workers* workers_ = nullptr;
  comm::TreeSum chunk_sum_;  ///< over the chunks of all ranks
  BlockShape shape_;
  StepObjective objective_ = StepObjective::squared_error;
  double alpha_over_n_ = 0.0;
  bool reversed_ = false;        ///< the last pass ran over the chunks in reverse order
  std::size_t delta_tiles_ = 1;  ///< tiles whose deltas the scratch holds
  std::size_t segments_ = 1;     ///< contiguous ranges of chunks, each with its own scratch
  KernelBlock block_{};
  BlockWeights weights_;
  std::vector<std::size_t> features_;               ///< of the view
  std::vector<data::FeatureSource> dense_sources_;  ///< features without a lookup table
  std::vector<std::size_t> input_offsets_;          ///< of dense_sources_ in a tile
  network::LookupLayer lookup_;
  ResidentLookupRows lookup_rows_;
  network::SparseLayer sparse_;
  core::AlignedVector<float> scratch_;        ///< of all segments
  std::vector<const float*> pointers_;        ///< of all segments
  std::vector<double> chunk_sums_;            ///< chunks x (1 + parameters of dense features): value, then gradient
  std::vector<double> dense_sums_;            ///< their sum, if there are lookup tables too
  core::AlignedVector<float> lookup_sums_;    ///< chunks x copies x tables: gradient sums of the lookup tables
  core::AlignedVector<float> sparse_deltas_;  ///< rows x width of the sparse layer
  core::AlignedVector<float> hidden_;         ///< projected: hidden outputs of every tile
  std::vector<double> projected_hidden_;      ///< the hidden layer that produced hidden_; empty: none
  std::vector<double> gram_;                  ///< chunks x what project_chunk writes
  OutputLayerSolver output_layer_;            ///< projected
  BlockCurvature curvature_;                  ///< projected
};

}  // namespace accrete::backend
