#include "accrete/baseline/train.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accrete/baseline/objective.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/random.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::baseline {
namespace {

network::PlainShape shape_of(const PlainTrainTask& task) {
  std::vector<std::size_t> widths{task.problem.dataset.features.cols()};
  widths.insert(widths.end(), task.hidden.begin(), task.hidden.end());
  widths.push_back(task.problem.outputs);
  return network::PlainShape(std::move(widths));
}

std::vector<double> initial_parameters(const PlainTrainTask& task, const network::PlainShape& shape) {
  core::Rng rng(task.config.seed, task.step, core::Purpose::weights);
  std::vector<double> parameters;
  parameters.reserve(shape.size());
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    const auto fans = static_cast<double>(shape.inputs(l) + shape.outputs(l));
    const double bound = std::sqrt(task.problem.activation.init_gain() / fans);
    while (parameters.size() < shape.bias_at(l) + shape.outputs(l)) parameters.push_back(rng.uniform(-bound, bound));
  }
  return parameters;
}

/// The rows of each mini-batch, reshuffled for every epoch.
class MiniBatches {
 public:
  MiniBatches(const PlainTrainTask& task, std::size_t rows)
      : task_(task), size_(std::min<std::size_t>(task.config.batch_size, rows)), order_(rows) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  std::size_t count() const { return (order_.size() + size_ - 1) / size_; }

  std::span<const std::size_t> rows(const solver::MiniBatch& batch) {
    if (batch.index == 0) {
      const std::uint64_t seed = task_.config.seed ^ (static_cast<std::uint64_t>(batch.epoch) << 32);
      core::Rng(seed, task_.step, core::Purpose::batches).shuffle(std::span(order_));
    }
    const std::size_t first = batch.index * size_;
    return std::span(order_).subspan(first, std::min(size_, order_.size() - first));
  }

 private:
  const PlainTrainTask& task_;
  std::size_t size_;
  std::vector<std::size_t> order_;
};

void check_size(const network::PlainShape& shape, std::size_t max, const ResolvedConfig& config) {
  if (shape.size() <= max) return;
  throw core::UsageError(core::parameter("solver", config.solver),
                         core::message("a network of {} parameters is too large, at most {} are allowed; use {}, or "
                                       "fewer hidden units ({}, or {} of AdaBoost)",
                                       shape.size(), max, core::parameter("solver", solver::Adam::name),
                                       core::parameter("hidden"), core::parameter("units_per_step")));
}

/// scipy's L-BFGS-B, which scikit-learn uses, stops at a decrease below 2.2e-9 relative to max(value, 1), or if no
/// derivative exceeds the tolerance. 200 iterations never reach its limit of 15,000 evaluations.
solver::SolverOptions solver_options(const ResolvedConfig& config, const PlainObjective& objective,
                                     std::size_t batches) {
  solver::SolverOptions options;
  options.max_iterations = config.max_iter;
  options.noise = objective.noise();
  options.batches = batches;
  options.rate = config.solver_rate;
  options.momentum = config.momentum;
  options.adaptive = config.schedule == "adaptive";
  if (config.solver != "lbfgs") {
    options.tolerance = config.tolerance;
    if (config.tolerance == 0.0) options.patience = config.max_iter;
    return options;
  }
  options.floor = 1.0;
  options.gradient_tolerance = config.tolerance;
  return options;
}

}  // namespace

TrainedNetwork train(const PlainTrainTask& task, const IterationObserver& observe) {
  const network::PlainShape shape = shape_of(task);
  std::vector<double> parameters = initial_parameters(task, shape), gradient(shape.size());
  const std::size_t rows = task.problem.dataset.rows();
  PlainObjective objective(shape, task.problem, task.config.alpha);
  MiniBatches batches(task, rows);
  const solver::SolverOptions options = solver_options(task.config, objective, batches.count());
  TrainedNetwork result{{task.problem.activation, shape, {}}, {}, solver::Reason::running};
  solver::All::visit_type(solver::All::index_of(task.config.solver, "solver"), [&](auto chosen) {
    using Solver = typename decltype(chosen)::type;
    check_size(shape, solver::max_parameters<Solver>(options), task.config);
    std::vector<double> workspace(Solver::workspace_size(shape.size(), options));
    Solver solver(options, parameters, workspace);
    for (bool more = true; more;) {
      double share = 1.0;  // a shorter mini-batch has less weight in the loss of an epoch
      if constexpr (Solver::stochastic) {
        const auto batch = batches.rows(solver.batch());
        objective.set_rows(batch);
        share = static_cast<double>(batch.size() * options.batches) / static_cast<double>(rows);
      }
      const std::size_t before = solver.iterations();
      const double value = objective.evaluate(solver.point(), gradient);
      more = solver.tell(share * value, gradient);
      if (solver.iterations() == before) continue;
      result.losses.push_back(solver.value());
      if (observe && !observe(solver.iterations(), solver.value())) break;
    }
    result.reason = solver.reason();
    result.network.parameters.assign(solver.best().begin(), solver.best().end());
  });
  return result;
}

}  // namespace accrete::baseline
