#pragma once
// The interface of a backend: training rows resident on a device, and the coarse operations of a boosting step on them.
// Only parameters, gradients and sums cross it.
//
// Order of calls: Backend::make loads the data; reset_scores; then for each step compute_residuals (if the step fits
// residuals), set_view, evaluate as often as the solver needs, newton_sums and add_block. scores and mean_loss may be
// called at any time.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/network/block.hpp"

namespace accrete::backend {

/// A block's parameters as one vector for the solver: hidden weights (units x features), hidden bias (units), output
/// weights (units x outputs), output bias (outputs).
struct BlockShape {
  std::size_t features = 0, units = 0, outputs = 0;

  constexpr std::size_t hidden_bias_at() const { return units * features; }
  constexpr std::size_t output_weights_at() const { return hidden_bias_at() + units; }
  constexpr std::size_t output_bias_at() const { return output_weights_at() + units * outputs; }
  constexpr std::size_t hidden_size() const { return output_weights_at(); }
  constexpr std::size_t size() const { return output_bias_at() + outputs; }
};

/// The value of evaluate for a block with outputs h. W is the sum of the weights w of the view's rows, n their number
/// times the dataset's row_weight; the penalty is alpha / (2n) times the sum of squared weights, biases excluded.
enum class StepObjective {
  squared_error,  ///< 1/(2W) sum w |residual - h|^2 + penalty
  loss,           ///< 1/W sum w L(y, score + h) + penalty
  projected,      ///< squared_error minimised over the output layer, as a function of the hidden layer alone
};

/// The rows, features and objective of a step.
struct StepView {
  std::span<const std::size_t> rows;      ///< empty: all
  std::span<const std::size_t> features;  ///< ascending
  std::size_t units = 0;
  StepObjective objective = StepObjective::squared_error;
  double alpha = 0.0;
};

/// Per output k, with h the outputs of a block and r = -L': slope = sum w r_k h_k and curvature = sum w L''_k h_k^2,
/// whose ratio is the Newton step; largest = max |h_k| over rows of positive weight.
struct NewtonSums {
  std::vector<double> slope, curvature, largest;
};

/// Minimum number of rows sampled for the Gauss-Newton matrix. The matrix only proposes a direction; a step is accepted
/// by its value on all rows.
inline constexpr std::size_t curvature_rows = 2048;

class TrainingRows {
 public:
  virtual ~TrainingRows() = default;

  /// Sets the scores of every row to the bias.
  virtual void reset_scores(std::span<const double> bias) = 0;
  /// Adds the units of a step to the scores and replaces their bias by `bias`, the network's output bias after the
  /// step.
  virtual void add_block(const network::Block& block, std::span<const double> bias) = 0;
  /// Weighted mean of the loss at the current scores.
  virtual double mean_loss() const = 0;
  /// The same after adding the block and its output bias to the scores, which are not changed.
  virtual double mean_loss_after(const network::Block& block) const = 0;
  /// rows x outputs for the rows of all ranks. Like every operation that returns a value, it must be called on all
  /// ranks.
  virtual core::Matrix<double> scores() const = 0;

  /// Computes the residuals at the current scores, which are the targets of the next step. With rescale they are
  /// divided by their root mean square. Returns the divisor (1 without rescale or if all residuals are 0).
  virtual double compute_residuals(bool rescale) = 0;
  /// Sets the targets of the next step, rows x outputs, instead of compute_residuals.
  virtual void set_residuals(const core::Matrix<double>& residuals) = 0;
  virtual NewtonSums newton_sums(const network::Block& block) const = 0;

  virtual void set_view(const StepView& view) = 0;
  /// Changes the objective of the current view.
  virtual void set_objective(StepObjective objective) = 0;
  /// Value and gradient of the objective over the view. Both spans have BlockShape::size() elements, or hidden_size()
  /// if projected.
  virtual double evaluate(std::span<const double> parameters, std::span<double> gradient) = 0;
  /// Relative rounding error of evaluate's value; smaller differences are not significant.
  virtual double noise() const = 0;
  /// The least-squares output layer (output weights, then output bias) for a hidden layer.
  virtual void project(std::span<const double> hidden, std::span<double> output_layer) = 0;
  /// The upper triangle of the Gauss-Newton matrix (backend/curvature.hpp), hidden_size() x hidden_size(), of the
  /// projected objective at the point of the last evaluate. May be computed from a sample of at least curvature_rows
  /// rows.
  virtual void curvature(std::span<double> matrix) = 0;
};

/// What to train on, with which threads and ranks. The dataset, the workers and the communicator must outlive all
/// users. Across ranks, the dataset has the features of the rows of backend::row_share (resident_rows.hpp) only.
struct TrainingProblem {
  const data::Dataset& dataset;
  std::size_t outputs;
  loss::Loss loss;
  activation::Activation activation;
  core::Workers& workers;
  comm::Communicator& comm = comm::one_process();
};

std::unique_ptr<TrainingRows> make_reference_rows(const TrainingProblem& problem);
std::unique_ptr<TrainingRows> make_cpu_rows(const TrainingProblem& problem);

/// An entry of the list of backends.
struct Backend {
  const char* name;
  const char* summary;
  std::unique_ptr<TrainingRows> (*make)(const TrainingProblem&);
};

/// All backends; the first is the default.
std::span<const Backend> backends();
/// Throws UsageError with the allowed names.
const Backend& backend_named(std::string_view name);

/// The block with these parameters, in BlockShape order; its output layer is multiplied by scale[k] per output.
network::Block make_block(const BlockShape& shape, std::vector<std::size_t> features,
                          std::span<const double> parameters, std::span<const double> scale);

/// Returns the penalty and adds its gradient to `gradient`: for both layers, or for the hidden layer if parameters has
/// only that.
double add_penalty(const BlockShape& shape, double alpha_over_n, std::span<const double> parameters,
                   std::span<double> gradient);

}  // namespace accrete::backend
