#include "accrete/boosting/loss_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {
namespace {

[[noreturn]] void refuse_loss(const config::ResolvedConfig& config, std::size_t step) {
  if (step == 0)
    throw core::DataError("the loss is not finite at the start: the target is too large; divide it by a constant");
  core::Message rates = core::parameter("learning_rate");
  if (config.solver != "lbfgs") rates = core::message("{} or {}", core::parameter("solver_rate"), rates);
  throw core::Diverged(core::message("after {} steps the loss is no longer finite; try a lower {}", step, rates));
}

}  // namespace

LossMonitor::LossMonitor(const TrainTask& task, const network::Network& network, const MonitoredRows& training,
                         Curves curves)
    : config_(task.config), metric_(task.metric), rows_(training.rows), curves_(std::move(curves)) {
  if (task.validation) validation_ = make_training_rows(task, *task.validation, network.activation());
  // Curves of different lengths, as of a model fitted without a validation set, are recomputed by the replay.
  if (validation_ ? curves_.validation.size() != curves_.train.size() : !curves_.validation.empty()) curves_ = {};
  if (validation_ && metric_) curves_ = {};  // models do not store metrics
  if (rows_) rows_->reset_scores(network.bias_after(0));
  if (validation_) validation_->reset_scores(network.bias_after(0));
  if (curves_.train.empty()) measure(training.start_loss);
  for (std::size_t step = 0; step < network.steps(); ++step) {
    const network::Block block = network.block(step);
    if (rows_) rows_->add_block(block, network.bias_after(step + 1));
    if (validation_) validation_->add_block(block, network.bias_after(step + 1));
    if (curves_.train.size() < step + 2) measure(training.start_loss);
  }
  if (training.on_device) rows_ = nullptr;
}

void LossMonitor::add(const network::Block& block, std::span<const double> bias, double device_loss) {
  if (rows_) rows_->add_block(block, bias);
  if (validation_) validation_->add_block(block, bias);
  measure(device_loss);
}

void LossMonitor::measure(double device_loss) {
  curves_.train.push_back(rows_ ? rows_->mean_loss() : device_loss);
  if (validation_) curves_.validation.push_back(validation_->mean_loss());
  if (validation_ && metric_) curves_.metric.push_back(metric_(validation_->scores()));
  if (!std::isfinite(curves_.train.back()) || (validation_ && std::isnan(curves_.validation.back())))
    refuse_loss(config_, curves_.train.size() - 1);
}

std::size_t LossMonitor::best_step() const {
  if (!validation_) return curves_.train.size() - 1;
  const std::vector<double>& curve = metric_ ? curves_.metric : curves_.validation;
  return static_cast<std::size_t>(std::ranges::min_element(curve) - curve.begin());
}

bool LossMonitor::is_out_of_patience(const network::Network& network) const {
  if (!validation_ || config_.patience == 0) return false;
  return network.units() - network.units_after(best_step()) >= config_.patience;
}

}  // namespace accrete::boosting
