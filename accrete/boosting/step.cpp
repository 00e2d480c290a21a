#include "accrete/boosting/step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accrete/core/random.hpp"
#include "accrete/solver/levenberg.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::boosting {
namespace {

/// The rows of mini-batch `batch` in a fresh order for every epoch.
std::vector<std::size_t> batch_rows(const StepContext& c, const solver::Batch& batch, std::size_t batches) {
  std::vector<std::size_t> order = c.drawn_rows;
  if (order.empty()) {
    order.resize(c.row_count);
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  core::Rng rng(c.config.seed ^ (batch.epoch << 32), c.step, core::Purpose::batches);
  rng.shuffle(std::span(order));
  const std::size_t first = batch.index * order.size() / batches, last = (batch.index + 1) * order.size() / batches;
  return {order.begin() + first, order.begin() + last};
}

std::size_t rows_looked_at(const StepContext& c) {
  return c.drawn_rows.empty() ? c.row_count : c.drawn_rows.size();
}

/// How far a descent goes at most, and the share of its gain that ends it.
struct Limits {
  std::size_t iterations;
  double gain_tolerance;
};

solver::Options solver_options(const StepContext& c, const Limits& limits) {
  solver::Options options;
  options.max_iterations = limits.iterations;
  options.gain_tolerance = limits.gain_tolerance;
  options.tolerance = c.config.tolerance;
  options.floor = c.config.tolerance_floor;
  options.noise = c.rows.noise();
  options.rate = c.config.solver_rate;
  options.momentum = c.config.momentum;
  options.batches = (rows_looked_at(c) + c.config.batch_size - 1) / c.config.batch_size;
  return options;
}

/// Moves the parameters downhill with the chosen solver, over what the rows look at.
void descend(StepContext& c, const backend::StepView& view, const Limits& limits, std::span<double> parameters) {
  const std::size_t n = parameters.size();
  const solver::Options options = solver_options(c, limits);
  solver::All::visit_type(solver::All::index_of(c.config.solver, "solver"), [&](auto chosen) {
    using Solver = typename decltype(chosen)::type;
    c.workspace.resize(n + Solver::workspace_size(n, options));
    const std::span<double> gradient(c.workspace.data(), n);
    Solver solver(options, parameters, std::span(c.workspace).subspan(n));
    double value;
    do {
      if constexpr (Solver::stochastic) {
        const auto rows = batch_rows(c, solver.batch(), options.batches);
        backend::StepView batch = view;
        batch.rows = rows;
        c.rows.look_at(batch);
      }
      value = c.rows.evaluate(solver.point(), gradient);
    } while (solver.tell(value, gradient));
    std::copy_n(solver.best().begin(), n, parameters.begin());
  });
}

/// Do Gauss-Newton steps take less time than L-BFGS? Counted in multiply-adds: the matrix takes the products of its
/// columns for each row of a sample, an evaluation two for a weight and about twenty for a unit for every row.
bool few_weights(const StepContext& c) {
  const backend::BlockShape shape = c.shape();
  const auto rows = static_cast<double>(rows_looked_at(c)), weights = static_cast<double>(shape.hidden_size());
  const auto units = static_cast<double>(shape.units), columns = weights + units + 1.0;
  const double matrix = 0.5 * columns * columns * std::min<double>(rows, backend::curvature_rows);
  return matrix <= rows * (2.0 * weights + 20.0 * units);
}

/// The same for a projected fit of few weights, by Gauss-Newton steps. One takes as long as there are rows, and ends
/// the descent unless it brings as much.
void descend_squares(StepContext& c, const Limits& limits, std::span<double> hidden) {
  const std::size_t n = hidden.size();
  solver::Options options = solver_options(c, limits);
  options.tolerance = std::max(options.tolerance, 2.5e-10 * static_cast<double>(rows_looked_at(c)));
  c.workspace.resize(n + solver::Levenberg::workspace_size(n));
  const std::span<double> gradient(c.workspace.data(), n);
  solver::Levenberg solver(options, hidden, std::span(c.workspace).subspan(n));
  double value;
  do {
    value = c.rows.evaluate(solver.point(), gradient);
  } while (solver.tell(value, gradient, [&](std::span<double> matrix) { c.rows.curvature(matrix); }));
  std::ranges::copy(solver.best(), hidden.begin());
}

}  // namespace

InitialWeights uniform_weights(const Config& config) {
  const double gain = activation::Activation::named(config.activation).init_gain();
  return [gain, seed = config.seed](std::size_t step, const backend::BlockShape& shape, std::span<double> parameters) {
    core::Rng rng(seed, step, core::Purpose::weights);
    const double hidden = std::sqrt(gain / static_cast<double>(shape.features + shape.units));
    const double output = std::sqrt(gain / static_cast<double>(shape.units + shape.outputs));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double bound = i < shape.hidden_size() ? hidden : output;
      parameters[i] = rng.uniform(-bound, bound);
    }
  };
}

std::size_t rows_of_a_step(const Config& config, std::size_t rows) {
  const double share = config.subsample * static_cast<double>(rows);
  return std::min(rows, static_cast<std::size_t>(share + 1e-9 * share));  // 0.29 * 100 is 28.999999999999996
}

std::size_t features_of_a_step(const Config& config, std::size_t features) {
  const auto wanted = static_cast<std::size_t>(std::llround(config.feature_fraction * static_cast<double>(features)));
  return std::clamp(wanted, std::min(least_features_of_a_step, features), features);
}

void draw(StepContext& c, std::size_t features) {
  c.drawn_rows.clear();
  const std::size_t rows = rows_of_a_step(c.config, c.row_count);
  if (rows < c.row_count)
    c.drawn_rows = core::Rng(c.config.seed, c.step, core::Purpose::rows).choose(c.row_count, rows);
  c.drawn_features = core::Rng(c.config.seed, c.step, core::Purpose::features)
                         .choose(features, features_of_a_step(c.config, features));
}

std::vector<double> minimise(StepContext& c, backend::Fit fit) {
  const backend::BlockShape shape = c.shape();
  std::vector<double> parameters(shape.size());
  c.initial(c.step, shape, parameters);
  const bool projected = fit == backend::Fit::projected;
  const bool few = projected && c.config.gauss_newton && few_weights(c);
  const std::size_t joint = projected && !few ? std::min(c.config.joint_iter, c.config.max_iter) : 0;
  const backend::StepView view{c.drawn_rows, c.drawn_features, c.config.units_per_step,
                               joint > 0 ? backend::Fit::squares : fit, c.config.alpha};
  c.rows.look_at(view);
  if (joint > 0) {
    descend(c, view, {joint, 0.0}, parameters);  // it only brings the units into shape: slow at times, and short
    c.rows.measure(fit);
  }
  if (!projected) {
    descend(c, view, {c.config.max_iter, c.config.gain_tolerance}, parameters);
    return parameters;
  }
  const std::span<double> hidden = std::span(parameters).first(shape.hidden_size());
  const Limits limits{c.config.max_iter - joint, c.config.gain_tolerance};
  if (few)
    descend_squares(c, limits, hidden);
  else if (joint < c.config.max_iter)
    descend(c, view, limits, hidden);
  c.rows.project(hidden, std::span(parameters).subspan(shape.hidden_size()));
  return parameters;
}

network::Block make_block(const StepContext& c, std::span<const double> p, std::span<const double> scale) {
  const backend::BlockShape shape = c.shape();
  network::Block block;
  block.units = shape.units;
  block.outputs = shape.outputs;
  block.features = c.drawn_features;
  auto floats = [&](std::size_t first, std::size_t last) {
    return std::vector<float>(p.begin() + first, p.begin() + last);
  };
  block.hidden_weights = floats(0, shape.hidden_bias_at());
  block.hidden_bias = floats(shape.hidden_bias_at(), shape.output_weights_at());
  block.output_weights.resize(shape.units * shape.outputs);
  for (std::size_t i = 0; i < block.output_weights.size(); ++i)
    block.output_weights[i] = static_cast<float>(scale[i % shape.outputs] * p[shape.output_weights_at() + i]);
  for (std::size_t k = 0; k < shape.outputs; ++k) block.output_bias.push_back(scale[k] * p[shape.output_bias_at() + k]);
  return block;
}

}  // namespace accrete::boosting
