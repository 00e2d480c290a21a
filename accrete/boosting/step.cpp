#include "accrete/boosting/step.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "accrete/config/draw_size.hpp"
#include "accrete/config/step_policy.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/random.hpp"
#include "accrete/solver/levenberg.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::boosting {
namespace {

/// The rows of each mini-batch, reshuffled in every epoch.
class BatchRows {
 public:
  BatchRows(const StepContext& context, std::size_t batches) : context_(context), batches_(batches) {}

  /// Valid until the next epoch.
  std::span<const std::size_t> of(const solver::MiniBatch& batch) {
    if (order_.empty() || batch.epoch != epoch_) shuffle(batch.epoch);
    const std::size_t rows = order_.size(), first = batch.index * rows / batches_;
    return std::span(order_).subspan(first, (batch.index + 1) * rows / batches_ - first);
  }

 private:
  void shuffle(std::size_t epoch) {
    epoch_ = epoch;
    order_ = context_.drawn_rows;
    if (order_.empty()) {
      order_.resize(context_.row_count);
      std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    core::Rng rng(context_.config.seed ^ (epoch << 32), context_.step, core::Purpose::batches);
    rng.shuffle(std::span(order_));
  }

  const StepContext& context_;
  std::size_t batches_, epoch_ = 0;
  std::vector<std::size_t> order_;
};

std::size_t view_rows(const StepContext& c) {
  return c.drawn_rows.empty() ? c.row_count : c.drawn_rows.size();
}

solver::SolverOptions solver_options(const StepContext& c, const config::DescentLimits& limits) {
  solver::SolverOptions options;
  options.max_iterations = limits.iterations;
  options.gain_tolerance = limits.gain_tolerance;
  options.tolerance = c.config.tolerance;
  options.floor = c.config.tolerance_floor;
  options.noise = c.rows.noise();
  options.rate = c.config.solver_rate;
  options.momentum = c.config.momentum;
  options.batches = (view_rows(c) + c.config.batch_size - 1) / c.config.batch_size;
  return options;
}

/// Runs the solver until it stops; `gradient` is scratch.
template <class Solver>
void run(Solver& solver, StepContext& c, const backend::StepView& view, std::size_t batches,
         std::span<double> gradient) {
  BatchRows rows(c, batches);
  double value;
  do {
    if constexpr (Solver::stochastic) {
      backend::StepView batch = view;
      batch.rows = rows.of(solver.batch());
      c.rows.set_view(batch);
    }
    value = c.rows.evaluate(solver.point(), gradient);
    c.bounds.mask(gradient);
  } while (solver.tell(value, gradient) && c.may_continue());
}

[[noreturn]] void refuse_size(const StepContext& c, std::size_t parameters, std::size_t max) {
  throw core::UsageError(
      core::parameter("units_per_step", c.config.units_per_step),
      core::message(
          "a step of {} parameters is too large for {}, which takes at most {}; use fewer units per step or a "
          "lower {}",
          parameters, core::parameter("solver", c.config.solver), max, core::parameter("feature_fraction")));
}

/// Minimises the objective of the view with the configured solver, or with the bounded one if there are bounds.
void descend(StepContext& c, const backend::StepView& view, const config::DescentLimits& limits,
             std::span<double> parameters) {
  const std::size_t n = parameters.size();
  const solver::SolverOptions options = solver_options(c, limits);
  const auto descend_by = [&](auto chosen, const auto&... bounds) {
    using Solver = typename decltype(chosen)::type;
    if (const std::size_t max = solver::max_parameters<Solver>(options); n > max) refuse_size(c, n, max);
    c.workspace.resize(n + Solver::workspace_size(n, options));
    Solver solver(options, parameters, bounds..., std::span(c.workspace).subspan(n));
    run(solver, c, view, options.batches, std::span(c.workspace).first(n));
    std::ranges::copy(solver.best(), parameters.begin());
  };
  if (c.is_monotone()) return descend_by(std::type_identity<solver::BoundedLbfgs>{}, c.bounds.of_first(n));
  using FloatPairLbfgs = solver::Lbfgs<solver::FloatPairVectors>;
  if (c.config.solver == FloatPairLbfgs::name && n >= solver::min_float_pair_size)
    return descend_by(std::type_identity<FloatPairLbfgs>{});
  solver::All::visit_type(solver::All::index_of(c.config.solver, "solver"), [&](auto chosen) { descend_by(chosen); });
}

/// True if Gauss-Newton steps are cheaper than L-BFGS, counted in multiply-adds: per row of a sample, the matrix costs
/// the products of its columns; per row, an evaluation costs two per weight and about twenty per unit.
bool is_gauss_newton_cheaper(const StepContext& c) {
  const backend::BlockShape shape = c.shape();
  const auto rows = static_cast<double>(view_rows(c)), weights = static_cast<double>(shape.hidden_size());
  const auto units = static_cast<double>(shape.units), columns = weights + units + 1.0;
  const double matrix = 0.5 * columns * columns * std::min<double>(rows, backend::curvature_rows);
  return matrix <= rows * (2.0 * weights + 20.0 * units);
}

/// Minimises a projected objective by Gauss-Newton steps. Their cost grows with the rows, and with it the improvement
/// that each step must bring.
void descend_gauss_newton(StepContext& c, const config::DescentLimits& limits, std::span<double> hidden) {
  const std::size_t n = hidden.size();
  solver::SolverOptions options = solver_options(c, limits);
  options.tolerance = std::max(options.tolerance, 2.5e-10 * static_cast<double>(view_rows(c)));
  c.workspace.resize(n + solver::Levenberg::workspace_size(n));
  const std::span<double> gradient(c.workspace.data(), n);
  solver::Levenberg solver(options, hidden, std::span(c.workspace).subspan(n));
  double value;
  do {
    value = c.rows.evaluate(solver.point(), gradient);
  } while (solver.tell(value, gradient, [&](std::span<double> matrix) { c.rows.curvature(matrix); }) &&
           c.may_continue());
  std::ranges::copy(solver.best(), hidden.begin());
}

}  // namespace

InitialWeights uniform_weights(const config::ResolvedConfig& config) {
  const double gain = activation::Activation::named(config.activation).init_gain();
  return [gain, seed = config.seed](std::size_t step, const backend::BlockShape& shape, std::span<double> parameters) {
    config::draw_uniform_weights(seed, step, gain, shape, parameters.data());
  };
}

void draw(StepContext& c, const data::Features& features) {
  c.drawn_rows.clear();
  const std::size_t rows = config::rows_per_step(c.config, c.row_count);
  if (rows < c.row_count)
    c.drawn_rows = core::Rng(c.config.seed, c.step, core::Purpose::rows).choose(c.row_count, rows);
  c.drawn = draw_features(c.constraints, c.config, c.step, features);
  if (c.constraints) c.bounds = StepBounds(*c.constraints, c.drawn, c.shape(), c.step);
}

std::vector<double> minimise(StepContext& c, backend::StepObjective objective) {
  const backend::BlockShape shape = c.shape();
  std::vector<double> parameters(shape.size());
  c.initial(c.step, shape, parameters);
  c.bounds.apply_to(parameters);
  const bool projected = objective == backend::StepObjective::projected;
  const bool gauss_newton = projected && c.config.gauss_newton && c.bounds.empty() && is_gauss_newton_cheaper(c);
  const config::StepDescents descents = config::step_descents(c.config, projected && !gauss_newton);
  const bool joint = descents.joint.iterations > 0;
  const backend::StepView view{.rows = c.drawn_rows,
                               .features = c.drawn.features,
                               .units = c.config.units_per_step,
                               .objective = joint ? backend::StepObjective::squared_error : objective,
                               .alpha = c.config.alpha};
  c.rows.set_view(view);
  if (joint) {
    descend(c, view, descents.joint, parameters);
    c.rows.set_objective(objective);
  }
  if (!projected) {
    descend(c, view, descents.main, parameters);
    return parameters;
  }
  const std::span<double> hidden = std::span(parameters).first(shape.hidden_size());
  if (gauss_newton)
    descend_gauss_newton(c, descents.main, hidden);
  else if (descents.main.iterations > 0)
    descend(c, view, descents.main, hidden);
  c.rows.project(hidden, std::span(parameters).subspan(shape.hidden_size()));
  return parameters;
}

network::Block make_block(const StepContext& c, std::span<const double> parameters, std::span<const double> scale) {
  return backend::make_block(c.shape(), c.drawn.features, parameters, scale);
}

}  // namespace accrete::boosting
