#include "accrete/boosting/stopping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accrete/boosting/preset.hpp"
#include "accrete/core/error.hpp"

namespace accrete::boosting {
namespace {

[[noreturn]] void refuse_loss(const Config& config, std::size_t step) {
  if (step == 0)
    throw core::DataError(
        "the loss is not a finite number from the start: the target is too large to be trained on as it is");
  throw core::Diverged(fmt::format("after {} steps the loss is not a finite number any more; try a lower {}", step,
                                   config.solver == "lbfgs" ? "--learning-rate" : "--solver-rate or --learning-rate"));
}

}  // namespace

Monitor::Monitor(const TrainTask& task, const network::Network& network, const Monitored& training, Curves curves)
    : config_(task.config), rows_(training.rows), curves_(std::move(curves)) {
  if (task.validation)
    validation_ = backend::backend_named(task.backend)
                      .make({*task.validation, task.outputs, loss_of(task.config), network.activation(), task.workers});
  // Curves of another length, as of a model that had no validation part before, are drawn afresh with the replay.
  if (validation_ ? curves_.validation.size() != curves_.train.size() : !curves_.validation.empty()) curves_ = {};
  if (rows_) rows_->start(network.bias_after(0));
  if (validation_) validation_->start(network.bias_after(0));
  if (curves_.train.empty()) measure(training.start_loss);
  for (std::size_t step = 0; step < network.steps(); ++step) {
    const network::Block block = network.block(step);
    if (rows_) rows_->add(block, network.bias_after(step + 1));
    if (validation_) validation_->add(block, network.bias_after(step + 1));
    if (curves_.train.size() < step + 2) measure(training.start_loss);
  }
  if (training.on_machine) rows_ = nullptr;
}

void Monitor::add(const network::Block& block, std::span<const double> bias, double told_loss) {
  if (rows_) rows_->add(block, bias);
  if (validation_) validation_->add(block, bias);
  measure(told_loss);
}

void Monitor::measure(double told_loss) {
  curves_.train.push_back(rows_ ? rows_->mean_loss() : told_loss);
  if (validation_) curves_.validation.push_back(validation_->mean_loss());
  if (!std::isfinite(curves_.train.back()) || (validation_ && std::isnan(curves_.validation.back())))
    refuse_loss(config_, curves_.train.size() - 1);
}

std::size_t Monitor::best_step() const {
  if (!validation_) return curves_.train.size() - 1;
  const auto& v = curves_.validation;
  return static_cast<std::size_t>(std::min_element(v.begin(), v.end()) - v.begin());
}

bool Monitor::out_of_patience(const network::Network& network) const {
  if (!validation_ || config_.patience == 0) return false;
  return network.units() - network.units_after(best_step()) >= config_.patience;
}

}  // namespace accrete::boosting
