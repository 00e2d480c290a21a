#include "accrete/boosting/loss_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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
  if (!validation_) curves_.validation.clear();
  curves_.metric.clear();  // models do not store metrics
  if (rows_) rows_->reset_scores(network.bias_after(0));
  if (validation_) validation_->reset_scores(network.bias_after(0));
  measure(0, training.start_loss);
  for (std::size_t step = 0; step < network.steps(); ++step) {
    const network::Block block = network.block(step);
    if (rows_) rows_->add_block(block, network.bias_after(step + 1));
    if (validation_) validation_->add_block(block, network.bias_after(step + 1));
    measure(step + 1, training.start_loss);
  }
  if (training.on_device) rows_ = nullptr;
}

void LossMonitor::add(const network::Block& block, std::span<const double> bias, double device_loss) {
  if (rows_) rows_->add_block(block, bias);
  if (validation_) validation_->add_block(block, bias);
  measure(curves_.train.size(), device_loss);
}

void LossMonitor::measure(std::size_t steps, double device_loss) {
  const auto is_missing = [&](const std::vector<double>& curve) { return curve.size() <= steps; };
  if (is_missing(curves_.train)) curves_.train.push_back(rows_ ? rows_->mean_loss() : device_loss);
  if (validation_ && is_missing(curves_.validation)) curves_.validation.push_back(validation_->mean_loss());
  if (validation_ && metric_ && is_missing(curves_.metric)) curves_.metric.push_back(metric_(validation_->scores()));
  if (!std::isfinite(curves_.train[steps]) || (validation_ && std::isnan(curves_.validation[steps])))
    refuse_loss(config_, steps);
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
