// The specification: every formula as it stands in docs/method.md, row by row, in double. Nothing here is fast;
// every other backend is tested against it.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accrete/backend/curvature.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/solver/least_squares.hpp"

namespace accrete::backend {
namespace {

class ReferenceRows final : public Rows {
 public:
  explicit ReferenceRows(const Source& source)
      : source_(source),
        data_(source.dataset),
        outputs_(source.outputs),
        sums_(data_.rows(), outputs_),
        residuals_(data_.rows(), outputs_),
        bias_(outputs_) {}

  void start(std::span<const double> bias) override {
    std::fill(sums_.flat().begin(), sums_.flat().end(), 0.0);
    bias_.assign(bias.begin(), bias.end());
  }

  void add(const network::Block& block, std::span<const double> bias) override {
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      const auto h = block_output(block, r);
      for (std::size_t k = 0; k < outputs_; ++k) sums_(r, k) += h[k] - block.output_bias[k];
    }
    bias_.assign(bias.begin(), bias.end());
  }

  double mean_loss() const override {
    double sum = 0.0, weight = 0.0;
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      sum += data_.weights[r] * row_loss(r, row_scores(r));
      weight += data_.weights[r];
    }
    return sum / weight;
  }

  double mean_loss_with(const network::Block& block) const override {
    double sum = 0.0, weight = 0.0;
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      auto f = row_scores(r);
      const auto h = block_output(block, r);
      for (std::size_t k = 0; k < outputs_; ++k) f[k] += h[k];
      sum += data_.weights[r] * row_loss(r, f);
      weight += data_.weights[r];
    }
    return sum / weight;
  }

  core::Matrix<double> scores() const override {
    core::Matrix<double> result(data_.rows(), outputs_);
    for (std::size_t r = 0; r < data_.rows(); ++r) std::ranges::copy(row_scores(r), result.row(r).begin());
    return result;
  }

  double take_residuals(bool rescale) override {
    double squares = 0.0, weight = 0.0;
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      const auto d = row_derivative(r, row_scores(r));
      for (std::size_t k = 0; k < outputs_; ++k) {
        residuals_(r, k) = -source_.loss.residual_scale() * d[k];
        squares += data_.weights[r] * residuals_(r, k) * residuals_(r, k);
        weight += data_.weights[r];
      }
    }
    const double size = std::sqrt(squares / weight);
    if (!rescale || !(size > 0.0)) return 1.0;
    for (double& x : residuals_.flat()) x /= size;
    return size;
  }

  NewtonSums newton(const network::Block& block) const override {
    NewtonSums sums{std::vector<double>(outputs_), std::vector<double>(outputs_), std::vector<double>(outputs_)};
    for (std::size_t r = 0; r < data_.rows(); ++r) {
      const auto h = block_output(block, r);
      const auto f = row_scores(r);
      const auto d = row_derivative(r, f);
      std::vector<double> c(outputs_);
      source_.loss.visit([&](auto l) { decltype(l)::curvatures(run(r, f), c.data()); });
      for (std::size_t k = 0; k < outputs_; ++k) {
        sums.slope[k] += data_.weights[r] * -d[k] * h[k];
        sums.curvature[k] += data_.weights[r] * c[k] * h[k] * h[k];
        if (data_.weights[r] > 0.0) sums.largest[k] = std::max(sums.largest[k], std::abs(h[k]));
      }
    }
    return sums;
  }

  void look_at(const StepView& view) override {
    view_rows_.assign(view.rows.begin(), view.rows.end());
    if (view.rows.empty()) {
      view_rows_.resize(data_.rows());
      std::iota(view_rows_.begin(), view_rows_.end(), std::size_t{0});
    }
    features_.assign(view.features.begin(), view.features.end());
    shape_ = {features_.size(), view.units, outputs_};
    fit_ = view.fit;
    alpha_ = view.alpha;
    view_weight_ = 0.0;
    for (std::size_t r : view_rows_) view_weight_ += data_.weights[r];
    if (!(view_weight_ > 0.0)) view_weight_ = 1.0;  // a draw without weight: its sums are 0, not 0 / 0
  }

  void measure(Fit fit) override { fit_ = fit; }

  double evaluate(std::span<const double> parameters, std::span<double> gradient) override {
    if (fit_ != Fit::projected) return evaluate_block(parameters, gradient);
    // Envelope theorem: at the best output layer its own gradient is zero, so the hidden layer's is the whole.
    std::vector<double> whole(shape_.size()), whole_gradient(shape_.size());
    std::ranges::copy(parameters, whole.begin());
    project(parameters, std::span(whole).subspan(shape_.hidden_size()));
    evaluated_ = whole;
    const double value = evaluate_block(whole, whole_gradient);
    std::copy_n(whole_gradient.begin(), shape_.hidden_size(), gradient.begin());
    return value;
  }

  double noise() const override { return 1e-14; }

  void project(std::span<const double> hidden, std::span<double> output_layer) override {
    const std::size_t n = shape_.units + 1;
    std::vector<double> gram(n * n), right(n * outputs_);
    for (std::size_t r : view_rows_) {
      auto a = hidden_output(hidden, r);
      a.push_back(1.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) gram[i * n + j] += data_.weights[r] / view_weight_ * a[i] * a[j];
        for (std::size_t k = 0; k < outputs_; ++k)
          right[i * outputs_ + k] += data_.weights[r] / view_weight_ * a[i] * residuals_(r, k);
      }
    }
    for (std::size_t i = 0; i < shape_.units; ++i) gram[i * n + i] += alpha_over_n();
    solver::solve_positive(gram, right, n, outputs_);
    std::ranges::copy(right, output_layer.begin());
  }

  void curvature(std::span<double> matrix) override {
    const std::size_t units = shape_.units, n = curvature_columns(shape_);
    std::vector<double> products(n * n), z(n);
    for (std::size_t r : view_rows_) {
      const auto a = hidden_output(evaluated_, r);
      std::ranges::copy(a, z.begin());
      z[units] = 1.0;
      for (std::size_t j = 0; j < units; ++j) {
        for (std::size_t i = 0; i < shape_.features; ++i)
          z[units + 1 + j * shape_.features + i] = slope(a[j]) * data_.features.at(r, features_[i]);
        z[units + 1 + shape_.hidden_bias_at() + j] = slope(a[j]);
      }
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = p; q < n; ++q) products[p * n + q] += data_.weights[r] / view_weight_ * z[p] * z[q];
    }
    gauss_newton(shape_, products, std::span(evaluated_).subspan(shape_.hidden_size()), alpha_over_n(), matrix);
  }

 private:
  double alpha_over_n() const { return alpha_ / (static_cast<double>(view_rows_.size()) * data_.row_weight); }

  std::vector<double> row_scores(std::size_t r) const {
    std::vector<double> f(outputs_);
    for (std::size_t k = 0; k < outputs_; ++k) f[k] = sums_(r, k) + bias_[k];
    return f;
  }

  loss::Run<double> run(std::size_t r, const std::vector<double>& f) const {
    return {1, 1, outputs_, data_.targets.row(r).data(), f.data(), source_.loss.settings};
  }
  double row_loss(std::size_t r, const std::vector<double>& f) const {
    double value = 0.0;
    source_.loss.visit([&](auto l) { decltype(l)::values(run(r, f), &value); });
    return value;
  }
  std::vector<double> row_derivative(std::size_t r, const std::vector<double>& f) const {
    std::vector<double> d(outputs_);
    source_.loss.visit([&](auto l) { decltype(l)::derivatives(run(r, f), d.data()); });
    return d;
  }

  double activate(double z) const {
    return activation::All::visit(source_.activation.index, [&](auto a) { return a.value(z); });
  }
  double slope(double a) const {
    return activation::All::visit(source_.activation.index, [&](auto f) { return f.slope(a); });
  }

  std::vector<double> block_output(const network::Block& block, std::size_t r) const {
    std::vector<double> h(block.output_bias);
    for (std::size_t j = 0; j < block.units; ++j) {
      double z = block.hidden_bias[j];
      for (std::size_t i = 0; i < block.features.size(); ++i)
        z += double(block.hidden_weights[j * block.features.size() + i]) * data_.features.at(r, block.features[i]);
      for (std::size_t k = 0; k < outputs_; ++k) h[k] += block.output_weights[j * outputs_ + k] * activate(z);
    }
    return h;
  }

  std::vector<double> hidden_output(std::span<const double> p, std::size_t r) const {
    std::vector<double> a(shape_.units);
    for (std::size_t j = 0; j < shape_.units; ++j) {
      double z = p[shape_.hidden_bias_at() + j];
      for (std::size_t i = 0; i < shape_.features; ++i)
        z += p[j * shape_.features + i] * data_.features.at(r, features_[i]);
      a[j] = activate(z);
    }
    return a;
  }

  double evaluate_block(std::span<const double> p, std::span<double> gradient) const {
    std::ranges::fill(gradient, 0.0);
    double value = 0.0;
    for (std::size_t r : view_rows_) value += add_row(p, r, gradient);
    return value + add_penalty(shape_, alpha_over_n(), p, gradient);
  }

  /// Forward, error, backward for one row.
  double add_row(std::span<const double> p, std::size_t r, std::span<double> gradient) const {
    const std::size_t v = shape_.output_weights_at(), c = shape_.output_bias_at();
    const double w = data_.weights[r] / view_weight_;
    const auto a = hidden_output(p, r);
    std::vector<double> h(p.begin() + c, p.end());
    for (std::size_t j = 0; j < shape_.units; ++j)
      for (std::size_t k = 0; k < outputs_; ++k) h[k] += a[j] * p[v + j * outputs_ + k];
    double value = 0.0;
    std::vector<double> error(outputs_);
    if (fit_ == Fit::loss) {
      for (std::size_t k = 0; k < outputs_; ++k) h[k] += sums_(r, k) + bias_[k];
      value = row_loss(r, h);
      error = row_derivative(r, h);
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
      const double delta = w * back * slope(a[j]);
      gradient[shape_.hidden_bias_at() + j] += delta;
      for (std::size_t i = 0; i < shape_.features; ++i)
        gradient[j * shape_.features + i] += delta * data_.features.at(r, features_[i]);
    }
    return w * value;
  }

  Source source_;
  const data::Dataset& data_;
  std::size_t outputs_;
  core::Matrix<double> sums_, residuals_;
  std::vector<double> bias_;
  std::vector<std::size_t> view_rows_, features_;
  BlockShape shape_;
  Fit fit_ = Fit::squares;
  double alpha_ = 0.0, view_weight_ = 1.0;
  std::vector<double> evaluated_;  ///< both layers, of the last evaluation of a projected fit
};

}  // namespace

std::unique_ptr<Rows> make_reference_rows(const Source& source) {
  return std::make_unique<ReferenceRows>(source);
}

}  // namespace accrete::backend
