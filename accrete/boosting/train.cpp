#include "accrete/boosting/train.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "accrete/boosting/preset.hpp"
#include "accrete/boosting/stopping.hpp"

namespace accrete::boosting {

network::Network start_network(const TrainTask& task) {
  const loss::Loss loss = loss_of(task.config);
  const bool softmax = loss.link() == loss::Link::softmax;
  std::vector<double> start(task.outputs, 0.0), column(task.data.rows());
  for (std::size_t k = 0; k < task.outputs && (!softmax || task.config.prior_start); ++k) {
    for (std::size_t r = 0; r < column.size(); ++r) {
      const double y = task.data.targets(r, softmax ? 0 : k);
      column[r] = softmax ? static_cast<double>(y == static_cast<double>(k)) : y;
    }
    start[k] = loss.visit([&](auto l) { return decltype(l)::start({column, task.data.weights}, loss.settings); });
  }
  return {task.data.features.cols(), activation::Activation::named(task.config.activation), start};
}

namespace {

std::unique_ptr<backend::Rows> rows_here(const TrainTask& task, const network::Network& network) {
  return backend::backend_named(task.backend)
      .make({task.data, task.outputs, loss_of(task.config), network.activation(), task.workers});
}

/// Steps of the backend, one at a time.
class StepsHere {
 public:
  StepsHere(const TrainTask& task, const network::Network& network)
      : task_(task),
        loss_(loss_of(task.config)),
        rows_(rows_here(task, network)),
        initial_(task.initial ? task.initial : uniform_weights(task.config)),
        policy_(steps::index_of(task.config.objective, "objective")),
        context_{*rows_, task.config, loss_, task.data.rows(), task.outputs, initial_, 0, {}, {}, {}} {
    rows_->start(network.bias_after(0));
    context_.start_loss = rows_->mean_loss();
  }
  StepsHere(const StepsHere&) = delete;

  Monitored monitored() { return {rows_.get()}; }

  backend::GrownStep next(std::size_t step, std::size_t) {
    context_.step = step;
    draw(context_, task_.data.features.cols());
    network::Block block = steps::visit(policy_, [&](auto p) { return decltype(p)::fit(context_); });
    for (float& weight : block.output_weights) weight *= static_cast<float>(context_.rate());
    for (double& bias : block.output_bias) bias *= context_.rate();
    return {std::move(block), 0.0};
  }

 private:
  const TrainTask& task_;
  loss::Loss loss_;
  std::unique_ptr<backend::Rows> rows_;
  InitialWeights initial_;
  std::size_t policy_;
  StepContext context_;
};

/// Steps of a machine, as many at a time as take about a quarter of a second: a user wants news, and to be heard. Those
/// that the network has already are replayed here, and the machine goes on from their scores.
class StepsThere {
 public:
  StepsThere(const TrainTask& task, const network::Network& network)
      : fit_(task.machine->begin(task.data, task.config, network.bias_after(0))),
        replayed_(network.steps() > 0 ? rows_here(task, network) : nullptr) {}

  Monitored monitored() const { return {replayed_.get(), fit_->train_loss(), true}; }

  backend::GrownStep next(std::size_t step, std::size_t wanted) {
    if (replayed_) {
      fit_->go_on_from(step, replayed_->scores());
      replayed_.reset();
    }
    if (at_ == grown_.size()) {
      const auto start = std::chrono::steady_clock::now();
      grown_ = fit_->grow(std::min(many_, wanted - step));
      at_ = 0;
      if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(125)) many_ = std::min(2 * many_, most);
    }
    return std::move(grown_[at_++]);
  }

 private:
  static constexpr std::size_t most = 32;
  std::unique_ptr<backend::GrowingFit> fit_;
  std::unique_ptr<backend::Rows> replayed_;
  std::vector<backend::GrownStep> grown_;
  std::size_t at_ = 0, many_ = 1;
};

template <class Steps>
TrainResult train_by(Steps& steps, const TrainTask& task, network::Network network, Curves curves,
                     const StepObserver& observe) {
  const Config& config = task.config;
  Monitor monitor(task, network, steps.monitored(), std::move(curves));
  Stop stop = Stop::finished;
  const std::size_t missing = config.units - std::min<std::size_t>(config.units, network.units());
  const std::size_t wanted = network.steps() + missing / config.units_per_step;
  for (std::size_t step = network.steps(); step < wanted; ++step) {
    const auto [block, train_loss] = steps.next(step, wanted);
    network.append(block);
    monitor.add(block, network.bias_after(step + 1), train_loss);
    if (observe && !observe({step + 1, wanted, network, monitor.curves()}))
      stop = Stop::observer;
    else if (monitor.out_of_patience(network))
      stop = Stop::patience;
    if (stop != Stop::finished) break;
  }
  const std::size_t best = monitor.best_step();
  return {std::move(network), monitor.take_curves(), stop, best};
}

}  // namespace

TrainResult train(const TrainTask& task, network::Network network, Curves curves, const StepObserver& observe) {
  if (task.machine) {
    StepsThere steps(task, network);
    return train_by(steps, task, std::move(network), std::move(curves), observe);
  }
  StepsHere steps(task, network);
  return train_by(steps, task, std::move(network), std::move(curves), observe);
}

}  // namespace accrete::boosting
