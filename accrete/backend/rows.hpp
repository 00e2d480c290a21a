#pragma once
// The seam to the hardware: training rows resident on a device, and the few coarse things a boosting step asks of
// them. Only a block's parameters, gradients and sums cross it.
//
// Life: make_rows loads the data -> start -> for each step: take_residuals (if the step fits residuals), look_at the
// rows and features drawn, evaluate as often as the solver asks, newton, add -> scores and mean_loss at any time.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/network/block.hpp"

namespace accrete::backend {

/// A block's parameters as the solver sees them, one after the other: hidden weights (units x features), hidden bias
/// (units), output weights (units x outputs), output bias (outputs).
struct BlockShape {
  std::size_t features = 0, units = 0, outputs = 0;

  constexpr std::size_t hidden_bias_at() const { return units * features; }
  constexpr std::size_t output_weights_at() const { return hidden_bias_at() + units; }
  constexpr std::size_t output_bias_at() const { return output_weights_at() + units * outputs; }
  constexpr std::size_t hidden_size() const { return output_weights_at(); }
  constexpr std::size_t size() const { return output_bias_at() + outputs; }
};

/// What an evaluation measures. W is the sum of the row weights w looked at, n the number of these rows times the
/// dataset's row_weight; the penalty is alpha / (2n) times the sum of squared weights, biases excluded.
enum class Fit {
  squares,    ///< 1/(2W) sum w |residual - h|^2 + penalty
  loss,       ///< 1/W sum w L(y, F + h) + penalty
  projected,  ///< squares, minimised over the output layer: a function of the hidden layer alone
};

struct StepView {
  std::span<const std::size_t> rows;      ///< empty: all
  std::span<const std::size_t> features;  ///< ascending
  std::size_t units = 0;
  Fit fit = Fit::squares;
  double alpha = 0.0;
};

/// Per output k: sum w r_k h_k and sum w L''_k h_k^2 with r = -L', whose ratio is the Newton step; and the largest
/// abs(h_k) among rows of any weight at all.
struct NewtonSums {
  std::vector<double> slope, curvature, largest;
};

/// Rows that say well enough how a projected fit curves. It says where to go: what is taken is decided by all rows.
inline constexpr std::size_t curvature_rows = 2048;

class Rows {
 public:
  virtual ~Rows() = default;

  /// No units: every row's scores are the bias.
  virtual void start(std::span<const double> bias) = 0;
  /// Adds a step's units to the running sums; bias is the network's output bias from now on.
  virtual void add(const network::Block& block, std::span<const double> bias) = 0;
  /// Weighted mean of the loss at the current scores; and as it would be with the block added, its output bias
  /// included.
  virtual double mean_loss() const = 0;
  virtual double mean_loss_with(const network::Block& block) const = 0;
  /// rows x outputs
  virtual core::Matrix<double> scores() const = 0;

  /// Targets of the coming step: the paper's pseudo-residuals at the current scores. With rescale they are divided by
  /// their root mean square. Returns what they were divided by (1 without rescale, or when all are 0).
  virtual double take_residuals(bool rescale) = 0;
  virtual NewtonSums newton(const network::Block& block) const = 0;

  virtual void look_at(const StepView& view) = 0;
  /// The same rows and features, another objective.
  virtual void measure(Fit fit) = 0;
  /// Value and gradient of the view's objective; both of BlockShape::size(), or hidden_size() when projected.
  virtual double evaluate(std::span<const double> parameters, std::span<double> gradient) = 0;
  /// Relative rounding error of a value of evaluate: differences below it mean nothing.
  virtual double noise() const = 0;
  /// The projected output layer (units x outputs, then outputs) that belongs to the given hidden layer.
  virtual void project(std::span<const double> hidden, std::span<double> output_layer) = 0;
  /// The Gauss-Newton matrix of a projected fit (backend/curvature.hpp) at the point of the last evaluate:
  /// hidden_size() squared, its upper triangle. Where there are more than curvature_rows, of a sample of them.
  virtual void curvature(std::span<double> matrix) = 0;
};

/// What all backends are made from; the dataset and the workers must outlive the rows.
struct Source {
  const data::Dataset& dataset;
  std::size_t outputs;
  loss::Loss loss;
  activation::Activation activation;
  core::Workers& workers;
};

std::unique_ptr<Rows> make_reference_rows(const Source& source);
std::unique_ptr<Rows> make_cpu_rows(const Source& source);

struct Backend {
  const char* name;
  const char* summary;
  std::unique_ptr<Rows> (*make)(const Source&);
};

/// The catalogue. The first is the default.
std::span<const Backend> backends();
/// Throws UsageError that lists the names.
const Backend& backend_named(std::string_view name);

/// Adds the penalty's value to the result and its gradient to gradient; both layers when sizes allow.
double add_penalty(const BlockShape& shape, double alpha_over_n, std::span<const double> parameters,
                   std::span<double> gradient);

}  // namespace accrete::backend
