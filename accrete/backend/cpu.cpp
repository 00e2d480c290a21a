// Rows on this machine's processors: float32 tiles, one fused pass per evaluation, sums in double.
//
// Bits do not depend on the number of threads: rows are cut into fixed chunks, each chunk's sums are its own, and
// chunks are joined in order. Threads only decide who computes a chunk.

#include <algorithm>
#include <cmath>

#include "accrete/backend/cpu_chunks.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/core/denormals.hpp"
#include "accrete/network/forward_kernel.hpp"
#include "accrete/solver/least_squares.hpp"

namespace accrete::backend {
namespace {

class CpuRows final : public Rows {
 public:
  explicit CpuRows(const Source& source)
      : source_(source),
        x_(source.dataset.features),
        outputs_(source.outputs),
        all_(rows_of(source)),
        sums_(x_.tiles() * outputs_ * x_.tile_rows()),
        bias_(outputs_) {
    all_.base.resize(sums_.size());
    all_.residuals.resize(sums_.size());
  }

  void start(std::span<const double> bias) override {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    set_bias(bias);
  }

  void add(const network::Block& block, std::span<const double> bias) override {
    const std::size_t size = outputs_ * x_.tile_rows();
    for_each_chunk([&](TileRange tiles, std::size_t) {
      network::TileForward forward(block, source_.activation, x_.tile_rows());
      core::AlignedVector<float> h(size);
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        forward(x_, tile, h.data());
        for (std::size_t i = 0; i < size; ++i) sums_[tile * size + i] += static_cast<double>(h[i]);
      }
    });
    set_bias(bias);
  }

  double mean_loss() const override {
    std::vector<double> part(chunks());
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      core::AlignedVector<float> value(x_.tile_rows());
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        loss_tile(loss_block(), all_.tile(tile, Fit::loss), value.data(), nullptr, nullptr);
        for (std::size_t r = 0; r < x_.tile_rows(); ++r) part[chunk] += double(all_.weight(tile)[r]) * double(value[r]);
      }
    });
    double sum = 0.0;
    for (double p : part) sum += p;
    return sum / all_.total_weight;
  }

  core::Matrix<double> scores() const override {
    core::Matrix<double> result(x_.rows(), outputs_);
    const std::size_t t = x_.tile_rows();
    for (std::size_t r = 0; r < x_.rows(); ++r)
      for (std::size_t k = 0; k < outputs_; ++k) result(r, k) = sums_[(r / t * outputs_ + k) * t + r % t] + bias_[k];
    return result;
  }

  double take_residuals(bool rescale) override {
    const std::size_t t = x_.tile_rows();
    const float scale = static_cast<float>(-source_.loss.residual_scale());
    std::vector<double> part(chunks());
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        float* residual = all_.residual(tile);
        loss_tile(loss_block(), all_.tile(tile, Fit::loss), nullptr, residual, nullptr);
        for (std::size_t i = 0; i < outputs_ * t; ++i) {
          residual[i] *= scale;
          part[chunk] += double(all_.weight(tile)[i % t]) * double(residual[i]) * double(residual[i]);
        }
      }
    });
    double squares = 0.0;
    for (double p : part) squares += p;
    const double size = std::sqrt(squares / all_.total_weight / static_cast<double>(outputs_));
    if (!rescale || !(size > 0.0)) return 1.0;
    for (float& r : all_.residuals) r = static_cast<float>(r / size);
    return size;
  }

  NewtonSums newton(const network::Block& block) const override {
    const std::size_t t = x_.tile_rows(), size = outputs_ * t;
    core::Matrix<double> part(chunks(), 2 * outputs_);
    for_each_chunk([&](TileRange tiles, std::size_t chunk) {
      network::TileForward forward(block, source_.activation, t);
      core::AlignedVector<float> h(size), derivative(size), curvature(size);
      for (std::size_t tile = tiles.first; tile < tiles.last; ++tile) {
        forward(x_, tile, h.data());
        loss_tile(loss_block(), all_.tile(tile, Fit::loss), nullptr, derivative.data(), curvature.data());
        for (std::size_t i = 0; i < size; ++i) {
          const double w = all_.weight(tile)[i % t], hi = double(h[i]) + block.output_bias[i / t];
          part(chunk, i / t) -= w * double(derivative[i]) * hi;
          part(chunk, outputs_ + i / t) += w * double(curvature[i]) * hi * hi;
        }
      }
    });
    NewtonSums sums{std::vector<double>(outputs_), std::vector<double>(outputs_)};
    for (std::size_t c = 0; c < part.rows(); ++c)
      for (std::size_t k = 0; k < outputs_; ++k)
        sums.slope[k] += part(c, k), sums.curvature[k] += part(c, outputs_ + k);
    return sums;
  }

  void look_at(const StepView& view) override {
    const bool subset = !view.rows.empty();
    if (subset) {
      drawn_x_ = x_.select_rows(view.rows);
      drawn_ = all_.select(view.rows, drawn_x_);
    }
    const BlockShape shape{view.features.size(), view.units, outputs_};
    evaluator_.look_at(subset ? drawn_ : all_, shape, view, source_);
  }

  double evaluate(std::span<const double> parameters, std::span<double> gradient) override {
    return evaluator_.evaluate(parameters, gradient);
  }

  /// Each row rounds to float on its own, so the errors of n rows partly cancel.
  double noise() const override { return 6e-8 / std::sqrt(static_cast<double>(evaluator_.rows())); }

  void project(std::span<const double> hidden, std::span<double> output_layer) override {
    evaluator_.project(hidden, output_layer);
  }

 private:
  std::size_t chunks() const { return chunk_count(x_); }

  template <class F>
  void for_each_chunk(const F& f) const {
    source_.workers.run(chunks(), [&](std::size_t chunk) {
      const core::FlushDenormals fast;
      f(chunk_tiles(x_, chunk), chunk);
    });
  }

  TileBlock loss_block() const {
    TileBlock block{};
    block.outputs = outputs_;
    block.tile_rows = x_.tile_rows();
    block.loss = source_.loss.index;
    block.settings = source_.loss.settings;
    return block;
  }

  void set_bias(std::span<const double> bias) {
    bias_.assign(bias.begin(), bias.end());
    const std::size_t t = x_.tile_rows();
    for (std::size_t i = 0; i < sums_.size(); ++i)
      all_.base[i] = static_cast<float>(sums_[i] + bias_[i / t % outputs_]);
  }

  Source source_;
  const core::TiledMatrix& x_;
  std::size_t outputs_;
  ResidentRows all_, drawn_;
  core::TiledMatrix drawn_x_;
  std::vector<double> sums_;  ///< scores without the bias, in the layout of base
  std::vector<double> bias_;
  Evaluator evaluator_;
};

}  // namespace

std::unique_ptr<Rows> make_cpu_rows(const Source& source) {
  return std::make_unique<CpuRows>(source);
}

}  // namespace accrete::backend
