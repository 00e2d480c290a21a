// The CPU backend: float32 tiles, one fused pass per evaluation, sums in double.
//
// Results do not depend on the number of threads or ranks: rows are split into fixed chunks, every chunk has its own
// sums, and a fixed tree adds them. A rank holds the rows of its chunks.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "accrete/backend/cpu_evaluator.hpp"
#include "accrete/backend/kernels/score_kernel.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/comm/tree_sum.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/config/step_policy.hpp"
#include "accrete/core/denormals.hpp"
#include "accrete/network/kernels/forward_kernel.hpp"

namespace accrete::backend {
namespace {

class CpuRows final : public TrainingRows {
 public:
  CpuRows(const TrainingProblem& problem, std::unique_ptr<BlockEvaluator> evaluator)
      : problem_(problem),
        x_(problem.dataset.features),
        outputs_(problem.outputs),
        loss_{problem.loss.index, problem.loss.settings, outputs_, x_.tile_rows()},
        all_(make_resident_rows(problem)),
        chunk_sum_(problem.comm, all_.chunks.share),
        sums_(x_.tiles() * outputs_ * x_.tile_rows()),
        bias_(outputs_),
        evaluator_(std::move(evaluator)) {
    all_.scores.resize(sums_.size());
    all_.residuals.resize(sums_.size());
  }

  void reset_scores(std::span<const double> bias) override {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    const std::size_t t = x_.tile_rows();
    for (std::size_t r = 0; r < x_.rows() && !problem_.dataset.offsets.empty(); ++r)
      sums_[r / t * outputs_ * t + r % t] = problem_.dataset.offsets[problem_.dataset.first_row + r];
    bias_.assign(bias.begin(), bias.end());
    update(nullptr);
  }

  void add_block(const network::Block& block, std::span<const double> bias) override {
    bias_.assign(bias.begin(), bias.end());
    update(&block);
  }

  double mean_loss() const override { return at_scores_.loss / all_.total_weight; }

  double mean_loss_after(const network::Block& block) const override {
    std::vector<double> chunk_loss(chunks());
    const network::SparseLayer sparse = network::sparse_layer(block, x_);
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      network::TileForward forward = forward_of(block, sparse);
      core::AlignedVector<float> h(tile_size()), scratch(tile_size() + x_.tile_rows());
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        forward(tile, h.data());
        chunk_loss[chunk] += loss_after_block(loss_, all_.tile(tile, StepObjective::loss), h.data(),
                                              block.output_bias.data(), scratch.data());
      }
    });
    return chunk_sum_.add(chunk_loss.data(), 1, 1)[0] / all_.total_weight;
  }

  core::Matrix<double> scores() const override {
    core::Matrix<double> result(all_.chunks.rows, outputs_);
    const comm::Share share = all_.chunks.row_share();
    const std::size_t t = x_.tile_rows();
    for (std::size_t r = 0; r < x_.rows(); ++r)
      for (std::size_t k = 0; k < outputs_; ++k)
        result(share.first() + r, k) = sums_[(r / t * outputs_ + k) * t + r % t] + bias_[k];
    gather_rows(share, result);
    return result;
  }

  double compute_residuals(bool rescale) override {
    if (divisor_ != 1.0) update(nullptr);  // undo an earlier rescaling
    const double size = std::sqrt(at_scores_.squares / all_.total_weight / static_cast<double>(outputs_));
    if (!rescale || !(size > 0.0)) return 1.0;
    const float inverse = static_cast<float>(1.0 / size);
    for (float& r : all_.residuals) r *= inverse;
    return divisor_ = size;
  }

  void set_residuals(const core::Matrix<double>& residuals) override {
    const std::size_t t = x_.tile_rows();
    for (std::size_t r = 0; r < x_.rows(); ++r)
      for (std::size_t k = 0; k < outputs_; ++k)
        all_.residuals[(r / t * outputs_ + k) * t + r % t] = static_cast<float>(residuals(r, k));
  }

  NewtonSums newton_sums(const network::Block& block) const override {
    core::Matrix<double> chunk_sums(chunks(), 3 * outputs_);
    const auto to_derivative = static_cast<float>(-divisor_ / problem_.loss.residual_scale());
    const network::SparseLayer sparse = network::sparse_layer(block, x_);
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      network::TileForward forward = forward_of(block, sparse);
      core::AlignedVector<float> h(tile_size()), scratch(2 * tile_size());
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        forward(tile, h.data());
        add_newton_sums(loss_, all_.tile(tile, StepObjective::loss),
                        {h.data(), block.output_bias.data(), all_.tile_residuals(tile), to_derivative}, scratch.data(),
                        &chunk_sums(chunk, 0));
      }
    });
    std::vector<double> largest(outputs_, 0.0);
    for (std::size_t c = 0; c < chunk_sums.rows(); ++c)
      for (std::size_t k = 0; k < outputs_; ++k) largest[k] = std::max(largest[k], chunk_sums(c, 2 * outputs_ + k));
    const auto sums = chunk_sum_.add(chunk_sums.flat().data(), 3 * outputs_, 2 * outputs_);
    if (problem_.comm.size() > 1) {
      const auto all = comm::gather_values<double>(problem_.comm, largest);
      for (std::size_t i = 0; i < all.values.size(); ++i)
        largest[i % outputs_] = std::max(largest[i % outputs_], all.values[i]);
    }
    return {{sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(outputs_)},
            {sums.begin() + static_cast<std::ptrdiff_t>(outputs_), sums.end()},
            std::move(largest)};
  }

  void set_view(const StepView& view) override {
    const bool subset = !view.rows.empty();
    if (subset) all_.select(view.rows, problem_.comm, view_x_, view_rows_);
    const BlockShape shape{view.features.size(), view.units, outputs_};
    evaluator_->set_view(subset ? view_rows_ : all_, shape, view, problem_);
  }

  void set_objective(StepObjective objective) override { evaluator_->set_objective(objective); }

  double evaluate(std::span<const double> parameters, std::span<double> gradient) override {
    return evaluator_->evaluate(parameters, gradient);
  }

  double noise() const override { return config::float_noise(evaluator_->rows()); }

  void project(std::span<const double> hidden, std::span<double> output_layer) override {
    evaluator_->project(hidden, output_layer);
  }

  void curvature(std::span<double> matrix) override { evaluator_->curvature(matrix); }

 private:
  /// Adds the block, if any, to the scores; then computes loss and residuals at the new scores.
  void update(const network::Block* block) {
    const auto scale = static_cast<float>(-problem_.loss.residual_scale());
    std::vector<ScoreSums> chunk_sums(chunks());
    const network::SparseLayer sparse = block ? network::sparse_layer(*block, x_) : network::SparseLayer();
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      std::optional<network::TileForward> forward;
      if (block) forward.emplace(*block, problem_.activation, x_, evaluator_->hidden_outputs(*block, all_), &sparse);
      core::AlignedVector<float> h(tile_size()), values(x_.tile_rows());
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        if (forward) (*forward)(tile, h.data());
        update_scores(loss_, block ? h.data() : nullptr, bias_.data(), sums_.data() + tile * tile_size(),
                      all_.tile_scores(tile));
        chunk_sums[chunk] += loss_and_residuals(loss_, all_.tile(tile, StepObjective::loss), scale,
                                                all_.tile_residuals(tile), values.data());
      }
    });
    static_assert(sizeof(ScoreSums) == 2 * sizeof(double));
    const auto sums = chunk_sum_.add(chunk_sums.empty() ? nullptr : &chunk_sums.front().loss, 2, 2);
    at_scores_ = {sums[0], sums[1]};
    divisor_ = 1.0;
  }

  /// Reuses the evaluator's hidden outputs if the block was fitted on all rows.
  network::TileForward forward_of(const network::Block& block, const network::SparseLayer& sparse) const {
    return {block, problem_.activation, x_, evaluator_->hidden_outputs(block, all_), &sparse};
  }

  std::size_t chunks() const { return all_.chunks.count(); }

  std::size_t tile_size() const { return outputs_ * x_.tile_rows(); }

  /// Gathers a matrix with all rows, of which each rank has filled its own share.
  void gather_rows(const comm::Share& share, core::Matrix<double>& rows) const {
    if (problem_.comm.size() == 1) return;
    std::vector<std::size_t> lengths;
    for (std::size_t r = 0; r < problem_.comm.size(); ++r)
      lengths.push_back((share.starts[r + 1] - share.starts[r]) * outputs_);
    const std::span<const double> own = rows.flat().subspan(share.first() * outputs_, share.count() * outputs_);
    std::ranges::copy(comm::gather_parts(problem_.comm, own, lengths).values, rows.flat().begin());
  }

  template <class F>
  void for_each_chunk(const F& f) const {
    auto task = [&](std::size_t chunk) {
      const core::FlushDenormals flush;
      f(all_.chunks.tiles_of(chunk), chunk);
    };
    if (x_.numbers() + 8 * x_.rows() < min_parallel_work)
      for (std::size_t chunk = 0; chunk < chunks(); ++chunk) task(chunk);
    else
      problem_.workers.run(chunks(), task);
  }

  TrainingProblem problem_;
  const data::Features& x_;
  std::size_t outputs_;
  TileLoss loss_;
  ResidentRows all_, view_rows_;     ///< all rows; the drawn rows of the view if it is a subset
  mutable comm::TreeSum chunk_sum_;  ///< over the chunks of all rows; mutable because it reuses its memory
  data::Features view_x_;
  std::vector<double> sums_;  ///< scores without the bias, in the layout of all_.scores
  std::vector<double> bias_;
  ScoreSums at_scores_;   ///< at the current scores
  double divisor_ = 1.0;  ///< of the residuals, set by compute_residuals
  std::unique_ptr<BlockEvaluator> evaluator_;
};

}  // namespace

std::unique_ptr<TrainingRows> make_cpu_rows(const TrainingProblem& problem) {
  return make_cpu_rows(problem, std::make_unique<CpuEvaluator>());
}

std::unique_ptr<TrainingRows> make_cpu_rows(const TrainingProblem& problem, std::unique_ptr<BlockEvaluator> evaluator) {
  return std::make_unique<CpuRows>(problem, std::move(evaluator));
}

}  // namespace accrete::backend
