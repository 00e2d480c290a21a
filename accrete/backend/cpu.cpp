// Rows on this machine's processors: float32 tiles, one fused pass per evaluation, sums in double.
//
// Bits do not depend on the number of threads: rows are cut into fixed chunks, each chunk's sums are its own, and
// chunks are joined in order. Threads only decide who computes a chunk.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "accrete/backend/evaluator.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/backend/score_kernel.hpp"
#include "accrete/core/denormals.hpp"
#include "accrete/network/forward_kernel.hpp"

namespace accrete::backend {
namespace {

class CpuRows final : public Rows {
 public:
  explicit CpuRows(const Source& source)
      : source_(source),
        x_(source.dataset.features),
        outputs_(source.outputs),
        loss_{source.loss.index, source.loss.settings, outputs_, x_.tile_rows()},
        all_(rows_of(source)),
        sums_(x_.tiles() * outputs_ * x_.tile_rows()),
        bias_(outputs_) {
    all_.base.resize(sums_.size());
    all_.residuals.resize(sums_.size());
  }

  void start(std::span<const double> bias) override {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    bias_.assign(bias.begin(), bias.end());
    move_on(nullptr);
  }

  void add(const network::Block& block, std::span<const double> bias) override {
    bias_.assign(bias.begin(), bias.end());
    move_on(&block);
  }

  double mean_loss() const override { return at_scores_.loss / all_.total_weight; }

  double mean_loss_with(const network::Block& block) const override {
    std::vector<double> part(chunks());
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      network::TileForward forward = forward_of(block);
      core::AlignedVector<float> h(tile_size()), room(tile_size() + x_.tile_rows());
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        forward(tile, h.data());
        part[chunk] +=
            loss_sum_with(loss_, all_.tile(tile, Fit::loss), h.data(), block.output_bias.data(), room.data());
      }
    });
    return sum_of(part) / all_.total_weight;
  }

  core::Matrix<double> scores() const override {
    core::Matrix<double> result(x_.rows(), outputs_);
    const std::size_t t = x_.tile_rows();
    for (std::size_t r = 0; r < x_.rows(); ++r)
      for (std::size_t k = 0; k < outputs_; ++k) result(r, k) = sums_[(r / t * outputs_ + k) * t + r % t] + bias_[k];
    return result;
  }

  double take_residuals(bool rescale) override {
    if (divisor_ != 1.0) move_on(nullptr);  // they were taken before, and divided
    const double size = std::sqrt(at_scores_.squares / all_.total_weight / static_cast<double>(outputs_));
    if (!rescale || !(size > 0.0)) return 1.0;
    const float inverse = static_cast<float>(1.0 / size);
    for (float& r : all_.residuals) r *= inverse;
    return divisor_ = size;
  }

  NewtonSums newton(const network::Block& block) const override {
    core::Matrix<double> part(chunks(), 3 * outputs_);
    const auto to_derivative = static_cast<float>(-divisor_ / source_.loss.residual_scale());
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      network::TileForward forward = forward_of(block);
      core::AlignedVector<float> h(tile_size()), room(2 * tile_size());
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        forward(tile, h.data());
        newton_sums(loss_, all_.tile(tile, Fit::loss),
                    {h.data(), block.output_bias.data(), all_.residual(tile), to_derivative}, room.data(),
                    &part(chunk, 0));
      }
    });
    NewtonSums sums{std::vector<double>(outputs_), std::vector<double>(outputs_), std::vector<double>(outputs_)};
    for (std::size_t c = 0; c < part.rows(); ++c)
      for (std::size_t k = 0; k < outputs_; ++k) {
        sums.slope[k] += part(c, k), sums.curvature[k] += part(c, outputs_ + k);
        sums.largest[k] = std::max(sums.largest[k], part(c, 2 * outputs_ + k));
      }
    return sums;
  }

  void look_at(const StepView& view) override {
    const bool subset = !view.rows.empty();
    if (subset) {
      x_.select_rows(view.rows, drawn_x_);
      all_.select(view.rows, drawn_x_, drawn_);
    }
    const BlockShape shape{view.features.size(), view.units, outputs_};
    evaluator_.look_at(subset ? drawn_ : all_, shape, view, source_);
  }

  void measure(Fit fit) override { evaluator_.measure(fit); }

  double evaluate(std::span<const double> parameters, std::span<double> gradient) override {
    return evaluator_.evaluate(parameters, gradient);
  }

  /// Each row rounds to float on its own, so the errors of n rows partly cancel.
  double noise() const override { return 6e-8 / std::sqrt(static_cast<double>(evaluator_.rows())); }

  void project(std::span<const double> hidden, std::span<double> output_layer) override {
    evaluator_.project(hidden, output_layer);
  }

  void curvature(std::span<double> matrix) override { evaluator_.curvature(matrix); }

 private:
  /// The scores moved on by the block, if there is one, and what is to be known there: the loss and the residuals.
  void move_on(const network::Block* block) {
    const auto scale = static_cast<float>(-source_.loss.residual_scale());
    std::vector<ScoreSums> part(chunks());
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      std::optional<network::TileForward> forward;
      if (block) forward.emplace(forward_of(*block));
      core::AlignedVector<float> h(tile_size()), values(x_.tile_rows());
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        if (forward) (*forward)(tile, h.data());
        move_scores(loss_, block ? h.data() : nullptr, bias_.data(), sums_.data() + tile * tile_size(),
                    all_.score(tile));
        part[chunk] += loss_and_residuals(loss_, all_.tile(tile, Fit::loss), scale, all_.residual(tile), values.data());
      }
    });
    at_scores_ = {};
    for (const ScoreSums& sums : part) at_scores_ += sums;
    divisor_ = 1.0;
  }

  /// The fit that found the block has its hidden outputs, unless it looked at some of the rows only.
  network::TileForward forward_of(const network::Block& block) const {
    return {block, source_.activation, x_, evaluator_.hidden_outputs(block, all_)};
  }

  std::size_t chunks() const { return chunk_count(x_); }

  std::size_t tile_size() const { return outputs_ * x_.tile_rows(); }

  static double sum_of(const std::vector<double>& parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); }

  template <class F>
  void for_each_chunk(const F& f) const {
    auto task = [&](std::size_t chunk) {
      const core::FlushDenormals fast;
      f(chunk_tiles(x_, chunk), chunk);
    };
    if (x_.rows() * (x_.cols() + 8) < worth_a_thread)
      for (std::size_t chunk = 0; chunk < chunks(); ++chunk) task(chunk);
    else
      source_.workers.run(chunks(), task);
  }

  Source source_;
  const data::Features& x_;
  std::size_t outputs_;
  TileLoss loss_;
  ResidentRows all_, drawn_;
  data::Features drawn_x_;
  std::vector<double> sums_;  ///< scores without the bias, in the layout of base
  std::vector<double> bias_;
  ScoreSums at_scores_;   ///< of all rows, at the current scores
  double divisor_ = 1.0;  ///< of the residuals, since they were taken
  Evaluator evaluator_;
};

}  // namespace

std::unique_ptr<Rows> make_cpu_rows(const Source& source) {
  return std::make_unique<CpuRows>(source);
}

}  // namespace accrete::backend
