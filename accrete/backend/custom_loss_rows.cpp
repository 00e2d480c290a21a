#include "accrete/backend/custom_loss_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "accrete/network/kernels/forward_kernel.hpp"

namespace accrete::backend {
namespace {

class WrappedRows final : public TrainingRows {
 public:
  WrappedRows(const TrainingProblem& problem, std::shared_ptr<const loss::CustomLoss> loss,
              std::unique_ptr<TrainingRows> rows)
      : problem_(problem),
        loss_(std::move(loss)),
        rows_(std::move(rows)),
        at_scores_(*loss_, problem.dataset.targets, problem.dataset.weights, problem.outputs),
        at_trial_(*loss_, problem.dataset.targets, problem.dataset.weights, problem.outputs) {}

  void reset_scores(std::span<const double> bias) override {
    rows_->reset_scores(bias);
    at_scores_.evaluate(rows_->scores());
  }

  void add_block(const network::Block& block, std::span<const double> bias) override {
    rows_->add_block(block, bias);
    at_scores_.evaluate(rows_->scores());
  }

  double mean_loss() const override { return at_scores_.mean(); }

  double mean_loss_after(const network::Block& block) const override {
    loss::CustomLossValues after(*loss_, problem_.dataset.targets, problem_.dataset.weights, problem_.outputs);
    const bool is_finite = after.try_evaluate(sum_of(rows_->scores(), outputs_of(block)));
    return is_finite ? after.mean() : std::numeric_limits<double>::infinity();  // the caller then shortens the step
  }

  core::Matrix<double> scores() const override { return rows_->scores(); }

  double compute_residuals(bool rescale) override {
    core::Matrix<double> residuals = at_scores_.derivatives();
    double squares = 0.0, weight = 0.0;
    for (std::size_t r = 0; r < residuals.rows(); ++r)
      for (double& x : residuals.row(r)) {
        x = -x;
        squares += problem_.dataset.weights[r] * x * x;
        weight += problem_.dataset.weights[r];
      }
    const double size = std::sqrt(squares / weight);
    const double divisor = rescale && size > 0.0 ? size : 1.0;
    for (double& x : residuals.flat()) x /= divisor;
    rows_->set_residuals(residuals);
    return divisor;
  }

  void set_residuals(const core::Matrix<double>& residuals) override { rows_->set_residuals(residuals); }

  NewtonSums newton_sums(const network::Block& block) const override {
    const core::Matrix<double> h = outputs_of(block);
    const std::size_t outputs = problem_.outputs;
    NewtonSums sums{std::vector<double>(outputs), std::vector<double>(outputs), std::vector<double>(outputs)};
    for (std::size_t r = 0; r < h.rows(); ++r) {
      const double w = problem_.dataset.weights[r];
      for (std::size_t k = 0; k < outputs; ++k) {
        sums.slope[k] -= w * at_scores_.derivatives()(r, k) * h(r, k);
        sums.curvature[k] += w * at_scores_.curvatures()(r, k) * h(r, k) * h(r, k);
        if (w > 0.0) sums.largest[k] = std::max(sums.largest[k], std::abs(h(r, k)));
      }
    }
    return sums;
  }

  void set_view(const StepView& view) override {
    view_rows_.assign(view.rows.begin(), view.rows.end());
    view_features_.assign(view.features.begin(), view.features.end());
    view_ = {.rows = view_rows_,
             .features = view_features_,
             .units = view.units,
             .objective = view.objective == StepObjective::loss ? StepObjective::squared_error : view.objective,
             .alpha = view.alpha};
    is_direct_ = view.objective == StepObjective::loss;
    rows_->set_view(view_);
  }

  void set_objective(StepObjective objective) override {
    is_direct_ = objective == StepObjective::loss;
    view_.objective = is_direct_ ? StepObjective::squared_error : objective;
    rows_->set_objective(view_.objective);
  }

  double evaluate(std::span<const double> parameters, std::span<double> gradient) override {
    return is_direct_ ? evaluate_loss(parameters, gradient) : rows_->evaluate(parameters, gradient);
  }

  double noise() const override { return rows_->noise(); }
  void project(std::span<const double> hidden, std::span<double> output_layer) override {
    rows_->project(hidden, output_layer);
  }
  void curvature(std::span<double> matrix) override { rows_->curvature(matrix); }

 private:
  /// The gradient of the loss equals that of the squared error with targets h - L', at the same point.
  double evaluate_loss(std::span<const double> parameters, std::span<double> gradient) {
    const BlockShape shape{.features = view_features_.size(), .units = view_.units, .outputs = problem_.outputs};
    core::Matrix<double> targets =
        outputs_of(make_block(shape, view_features_, parameters, std::vector<double>(shape.outputs, 1.0)));
    const bool is_finite = at_trial_.try_evaluate(sum_of(rows_->scores(), targets));
    for (std::size_t i = 0; i < targets.flat().size(); ++i) targets.flat()[i] -= at_trial_.derivatives().flat()[i];
    if (!is_finite) {  // the solver then shortens its step
      std::ranges::fill(gradient, 0.0);
      return std::numeric_limits<double>::infinity();
    }
    rows_->set_residuals(targets);
    if (!view_rows_.empty()) rows_->set_view(view_);  // copies the residuals of the view's rows
    rows_->evaluate(parameters, gradient);
    const std::size_t rows = view_rows_.empty() ? problem_.dataset.features.rows() : view_rows_.size();
    std::vector<double> unused(parameters.size());
    const double penalty =
        add_penalty(shape, view_.alpha / (static_cast<double>(rows) * problem_.dataset.row_weight), parameters, unused);
    return at_trial_.mean(view_rows_) + penalty;
  }

  static core::Matrix<double> sum_of(core::Matrix<double> scores, const core::Matrix<double>& h) {
    for (std::size_t i = 0; i < h.flat().size(); ++i) scores.flat()[i] += h.flat()[i];
    return scores;
  }

  /// rows x outputs, with the block's output bias.
  core::Matrix<double> outputs_of(const network::Block& block) const {
    const data::Features& x = problem_.dataset.features;
    const std::size_t outputs = problem_.outputs, tile_rows = x.tile_rows();
    core::Matrix<double> result(x.rows(), outputs);
    const std::size_t parts = std::min(x.tiles(), problem_.workers.threads());
    problem_.workers.run(parts, [&](std::size_t part) {
      network::TileForward forward(block, problem_.activation, x);
      core::AlignedVector<float> h(outputs * tile_rows);
      for (std::size_t tile = part; tile < x.tiles(); tile += parts) {
        forward(tile, h.data());
        const std::size_t first = tile * tile_rows, count = std::min(tile_rows, x.rows() - first);
        for (std::size_t k = 0; k < outputs; ++k)
          for (std::size_t i = 0; i < count; ++i)
            result(first + i, k) = static_cast<double>(h[k * tile_rows + i]) + block.output_bias[k];
      }
    });
    return result;
  }

  TrainingProblem problem_;
  std::shared_ptr<const loss::CustomLoss> loss_;
  std::unique_ptr<TrainingRows> rows_;
  loss::CustomLossValues at_scores_;  ///< evaluated at the current scores
  loss::CustomLossValues at_trial_;   ///< evaluated with the trial block of the solver
  StepView view_;                     ///< the view of rows_, which never minimises a loss itself
  std::vector<std::size_t> view_rows_, view_features_;
  bool is_direct_ = false;
};

}  // namespace

std::unique_ptr<TrainingRows> make_custom_loss_rows(const TrainingProblem& problem,
                                                    std::shared_ptr<const loss::CustomLoss> loss,
                                                    std::unique_ptr<TrainingRows> rows) {
  return std::make_unique<WrappedRows>(problem, std::move(loss), std::move(rows));
}

}  // namespace accrete::backend
