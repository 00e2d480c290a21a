// Gradient boosting of a network:
//
//   F = start score
//   repeat until the network has its units:
//     fit a block h of J units to the loss around F, on the rows and features drawn for the step
//     F = F + learning rate * rho * h        rho: the Newton step, where the objective has one
//
// The step source (boosting/step/step_source.hpp) returns the block already scaled; its units are appended to the
// hidden layer.

#include "accrete/boosting/train.hpp"

#include <algorithm>
#include <utility>

#include "accrete/boosting/loss_monitor.hpp"
#include "accrete/boosting/step/step_source.hpp"
#include "accrete/config/preset.hpp"

namespace accrete::boosting {

TrainResult train(const TrainTask& task, network::Network network, Curves curves, const StepObserver& observe) {
  const config::ResolvedConfig& config = task.config;
  const std::size_t missing = config.units - std::min<std::size_t>(config.units, network.units());
  const std::size_t planned = network.steps() + missing / config.units_per_step;
  const auto steps = make_step_source(task, network);
  LossMonitor monitor(task, network, steps->monitored(), std::move(curves));
  Stop stop = Stop::finished;
  for (std::size_t step = network.steps(); step < planned && stop == Stop::finished; ++step) {
    const auto [block, train_loss] = steps->next(step, planned);
    network.append(block);
    monitor.add(block, network.bias_after(step + 1), train_loss);
    if (observe && !observe({step + 1, planned, network, monitor.curves()}))
      stop = Stop::observer;
    else if (monitor.is_out_of_patience(network))
      stop = Stop::patience;
  }
  const std::size_t best = monitor.best_step();
  return {std::move(network), monitor.take_curves(), stop, best};
}

}  // namespace accrete::boosting
