// The reference backend and specification: every formula of docs/method.md row by row, in double. Slow by design; every
// other backend is tested against it.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accrete/backend/curvature.hpp"
#include "accrete/backend/reference_row.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/solver/least_squares.hpp"

namespace accrete::backend {
namespace {

class ReferenceRows final : public TrainingRows {
 public:
  explicit ReferenceRows(const TrainingProblem& problem)
      : problem_(problem),
        data_(problem.dataset),
        outputs_(problem.outputs),
        sums_(data_.rows(), outputs_),
        residuals_(data_.rows(), outputs_),
        bias_(outputs_) {}

  void reset_scores(std::span<const double> bias) override {
    std::fill(sums_.flat().begin(), sums_.flat().end(), 0.0);
    for (std::size_t r = 0; r < data_.offsets.size(); ++r) sums_(r, 0) = data_.offsets[r];
    bias_.assign(bias.begin(), bias.end());
  }

  void add_block(const network::Block& block, std::span<const double> bias) override {
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      const auto h = row(r).block_outputs(block);
      for (std::size_t k = 0; k < outputs_; ++k) sums_(r, k) += h[k] - block.output_bias[k];
    }
    bias_.assign(bias.begin(), bias.end());
  }

  double mean_loss() const override {
    double sum = 0.0, weight = 0.0;
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      sum += data_.weights[r] * row(r).loss(row_scores(r));
      weight += data_.weights[r];
    }
    return sum / weight;
  }

  double mean_loss_after(const network::Block& block) const override {
    double sum = 0.0, weight = 0.0;
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      auto f = row_scores(r);
      const auto h = row(r).block_outputs(block);
      for (std::size_t k = 0; k < outputs_; ++k) f[k] += h[k];
      sum += data_.weights[r] * row(r).loss(f);
      weight += data_.weights[r];
    }
    return sum / weight;
  }

  core::Matrix<double> scores() const override {
    core::Matrix<double> result(data_.rows(), outputs_);
    for (std::size_t r = 0; r < data_.rows(); ++r) std::ranges::copy(row_scores(r), result.row(r).begin());
    return result;
  }

  double compute_residuals(bool rescale) override {
    double squares = 0.0, weight = 0.0;
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      const auto d = row(r).derivatives(row_scores(r));
      for (std::size_t k = 0; k < outputs_; ++k) {
        residuals_(r, k) = -problem_.loss.residual_scale() * d[k];
        squares += data_.weights[r] * residuals_(r, k) * residuals_(r, k);
        weight += data_.weights[r];
      }
    }
    const double size = std::sqrt(squares / weight);
    if (!rescale || !(size > 0.0)) return 1.0;
    for (double& x : residuals_.flat()) x /= size;
    return size;
  }

  void set_residuals(const core::Matrix<double>& residuals) override { residuals_ = residuals; }

  NewtonSums newton_sums(const network::Block& block) const override {
    NewtonSums sums{std::vector<double>(outputs_), std::vector<double>(outputs_), std::vector<double>(outputs_)};
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      const auto h = row(r).block_outputs(block);
      const auto f = row_scores(r);
      const auto d = row(r).derivatives(f), c = row(r).curvatures(f);
      for (std::size_t k = 0; k < outputs_; ++k) {
        sums.slope[k] += data_.weights[r] * -d[k] * h[k];
        sums.curvature[k] += data_.weights[r] * c[k] * h[k] * h[k];
        if (data_.weights[r] > 0.0) sums.largest[k] = std::max(sums.largest[k], std::abs(h[k]));
      }
    }
    return sums;
  }

  void set_view(const StepView& view) override {
    view_rows_.assign(view.rows.begin(), view.rows.end());
    if (view.rows.empty()) {
      view_rows_.resize(data_.rows());
      std::iota(view_rows_.begin(), view_rows_.end(), std::size_t{0});
    }
    features_.assign(view.features.begin(), view.features.end());
    shape_ = {features_.size(), view.units, outputs_};
    objective_ = view.objective;
    alpha_ = view.alpha;
    view_weight_ = 0.0;
    for (std::size_t r : view_rows_) view_weight_ += data_.weights[r];
    if (!(view_weight_ > 0.0)) view_weight_ = 1.0;  // all weights are 0: makes means 0 instead of 0 / 0
  }

  void set_objective(StepObjective objective) override { objective_ = objective; }

  double evaluate(std::span<const double> parameters, std::span<double> gradient) override {
    if (objective_ != StepObjective::projected) return evaluate_block(parameters, gradient);
    // Envelope theorem: at the optimal output layer the gradient with respect to that layer vanishes, so the gradient
    // with respect to the hidden layer equals that of the block with both layers.
    std::vector<double> both(shape_.size()), both_gradient(shape_.size());
    std::ranges::copy(parameters, both.begin());
    project(parameters, std::span(both).subspan(shape_.hidden_size()));
    evaluated_ = both;
    const double value = evaluate_block(both, both_gradient);
    std::copy_n(both_gradient.begin(), shape_.hidden_size(), gradient.begin());
    return value;
  }

  double noise() const override { return 1e-14; }

  void project(std::span<const double> hidden, std::span<double> output_layer) override {
    const std::size_t n = shape_.units + 1;
    std::vector<double> gram(n * n), right(n * outputs_);
    for (std::size_t r : view_rows_) {
      auto a = row(r).hidden_outputs(shape_, features_, hidden);
      a.push_back(1.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) gram[i * n + j] += data_.weights[r] / view_weight_ * a[i] * a[j];
        for (std::size_t k = 0; k < outputs_; ++k)
          right[i * outputs_ + k] += data_.weights[r] / view_weight_ * a[i] * residuals_(r, k);
      }
    }
    const double ridge = shape_.units >= solver::min_dependent_units ? solver::dependent_ridge : 0.0;
    for (std::size_t i = 0; i < shape_.units; ++i) gram[i * n + i] += alpha_over_n() + ridge * gram[i * n + i];
    solver::solve_positive(gram, right, n, outputs_);
    std::ranges::copy(right, output_layer.begin());
  }

  void curvature(std::span<double> matrix) override {
    const std::size_t units = shape_.units, n = curvature_columns(shape_);
    std::vector<double> products(n * n), z(n);
    for (std::size_t r : view_rows_) {
      const auto a = row(r).hidden_outputs(shape_, features_, evaluated_);
      std::ranges::copy(a, z.begin());
      z[units] = 1.0;
      for (std::size_t j = 0; j < units; ++j) {
        for (std::size_t i = 0; i < shape_.features; ++i)
          z[units + 1 + j * shape_.features + i] = row(r).slope(a[j]) * row(r).feature(features_[i]);
        z[units + 1 + shape_.hidden_bias_at() + j] = row(r).slope(a[j]);
      }
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = p; q < n; ++q) products[p * n + q] += data_.weights[r] / view_weight_ * z[p] * z[q];
    }
    gauss_newton(shape_, products, std::span(evaluated_).subspan(shape_.hidden_size()), alpha_over_n(), matrix);
  }

 private:
  ReferenceRow row(std::size_t r) const { return {problem_, r}; }

  double alpha_over_n() const { return alpha_ / (static_cast<double>(view_rows_.size()) * data_.row_weight); }

  std::vector<double> row_scores(std::size_t r) const {
    std::vector<double> f(outputs_);
    for (std::size_t k = 0; k < outputs_; ++k) f[k] = sums_(r, k) + bias_[k];
    return f;
  }

  double evaluate_block(std::span<const double> p, std::span<double> gradient) const {
    std::ranges::fill(gradient, 0.0);
    double value = 0.0;
    for (std::size_t r : view_rows_) value += add_row(p, r, gradient);
    return value + add_penalty(shape_, alpha_over_n(), p, gradient);
  }

  /// Adds one row to the gradient and returns its value.
  double add_row(std::span<const double> p, std::size_t r, std::span<double> gradient) const {
    const std::size_t v = shape_.output_weights_at(), c = shape_.output_bias_at();
    const double w = data_.weights[r] / view_weight_;
    const auto a = row(r).hidden_outputs(shape_, features_, p);
    std::vector<double> h(p.begin() + c, p.end());
    for (std::size_t j = 0; j < shape_.units; ++j)
      for (std::size_t k = 0; k < outputs_; ++k) h[k] += a[j] * p[v + j * outputs_ + k];
    double value = 0.0;
    std::vector<double> error(outputs_);
    if (objective_ == StepObjective::loss) {
      for (std::size_t k = 0; k < outputs_; ++k) h[k] += sums_(r, k) + bias_[k];
      value = row(r).loss(h);
      error = row(r).derivatives(h);
    } else {
      for (std::size_t k = 0; k < outputs_; ++k) {
        error[k] = h[k] - residuals_(r, k);
        value += 0.5 * error[k] * error[k];
      }
    }
    for (std::size_t k = 0; k < outputs_; ++k) gradient[c + k] += w * error[k];
    for (std::size_t j = 0; j < shape_.units; ++j) {
      double back = 0.0;
      for (std::size_t k = 0; k < outputs_; ++k) {
        gradient[v + j * outputs_ + k] += w * error[k] * a[j];
        back += error[k] * p[v + j * outputs_ + k];
      }
      const double delta = w * back * row(r).slope(a[j]);
      gradient[shape_.hidden_bias_at() + j] += delta;
      for (std::size_t i = 0; i < shape_.features; ++i)
        gradient[j * shape_.features + i] += delta * row(r).feature(features_[i]);
    }
    return w * value;
  }

  TrainingProblem problem_;
  const data::Dataset& data_;
  std::size_t outputs_;
  core::Matrix<double> sums_, residuals_;
  std::vector<double> bias_;
  std::vector<std::size_t> view_rows_, features_;
  BlockShape shape_;
  StepObjective objective_ = StepObjective::squared_error;
  double alpha_ = 0.0, view_weight_ = 1.0;
  std::vector<double> evaluated_;  ///< both layers at the last evaluation of the projected objective
};

}  // namespace

std::unique_ptr<TrainingRows> make_reference_rows(const TrainingProblem& problem) {
  return std::make_unique<ReferenceRows>(problem);
}

}  // namespace accrete::backend
