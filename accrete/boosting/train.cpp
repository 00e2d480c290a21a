#include "accrete/boosting/train.hpp"

#include <algorithm>

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

TrainResult train(const TrainTask& task, network::Network network, Curves curves, const StepObserver& observe) {
  const Config& config = task.config;
  const loss::Loss loss = loss_of(config);
  const backend::Source source{task.data, task.outputs, loss, network.activation(), task.workers};
  const auto rows = backend::backend_named(task.backend).make(source);
  const InitialWeights initial = task.initial ? task.initial : uniform_weights(config);
  const std::size_t policy = steps::index_of(config.objective, "objective");
  StepContext context{*rows, config, loss, task.data.rows(), task.outputs, initial, 0, {}, {}, {}};
  Monitor monitor(task, network, *rows, std::move(curves));

  Stop stop = Stop::finished;
  const std::size_t missing = config.units - std::min<std::size_t>(config.units, network.units());
  const std::size_t wanted = network.steps() + missing / config.units_per_step;
  for (context.step = network.steps(); context.step < wanted; ++context.step) {
    draw(context, task.data.features.cols());
    network::Block block = steps::visit(policy, [&](auto p) { return decltype(p)::fit(context); });
    for (float& weight : block.output_weights) weight *= static_cast<float>(config.learning_rate);
    for (double& bias : block.output_bias) bias *= config.learning_rate;
    network.append(block);
    monitor.add(block, network.bias_after(context.step + 1));
    if (observe && !observe({context.step + 1, wanted, network, monitor.curves()}))
      stop = Stop::observer;
    else if (monitor.out_of_patience(network))
      stop = Stop::patience;
    if (stop != Stop::finished) break;
  }
  const std::size_t best = monitor.best_step();
  return {std::move(network), monitor.take_curves(), stop, best};
}

}  // namespace accrete::boosting
