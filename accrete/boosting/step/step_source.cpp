#include "accrete/boosting/step/step_source.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "accrete/config/objective.hpp"
#include "accrete/config/preset.hpp"

namespace accrete::boosting {
namespace {

/// Takes steps on a CPU backend, one at a time.
class BackendSteps final : public StepSource {
 public:
  BackendSteps(const TrainTask& task, const network::Network& network)
      : task_(task),
        loss_(config::loss_of(task.config)),
        rows_(make_training_rows(task, task.data, network.activation())),
        initial_(task.initial ? task.initial : uniform_weights(task.config)),
        objective_(config::Objectives::index_of(task.config.objective, "objective")),
        context_{.rows = *rows_,
                 .config = task.config,
                 .loss = loss_,
                 .row_count = task.data.rows(),
                 .outputs = task.outputs,
                 .initial = initial_,
                 .constraints = task.constraints,
                 .is_out_of_time = task.is_out_of_time} {
    rows_->reset_scores(network.bias_after(0));
    context_.start_loss = rows_->mean_loss();
  }

  MonitoredRows monitored() override { return {rows_.get()}; }

  backend::DeviceStep next(std::size_t step, std::size_t) override {
    context_.step = step;
    draw(context_, task_.data.features);
    network::Block block =
        config::Objectives::visit(objective_, [&](auto objective) { return fit_step(objective, context_); });
    for (float& weight : block.output_weights) weight *= static_cast<float>(context_.rate());
    for (double& bias : block.output_bias) bias *= context_.rate();
    return {std::move(block), 0.0};
  }

 private:
  const TrainTask& task_;
  loss::Loss loss_;
  std::unique_ptr<backend::TrainingRows> rows_;
  InitialWeights initial_;
  std::size_t objective_;
  StepContext context_;
};

/// Takes steps on a device. One call runs for up to about a quarter of a second, so that observers are called often
/// enough. Existing steps are replayed on the CPU, and the device continues from their scores.
class DeviceSteps final : public StepSource {
 public:
  DeviceSteps(const TrainTask& task, const network::Network& network)
      : fit_(task.device->begin(task.data, task.config, network.bias_after(0))),
        replayed_(network.steps() > 0 ? make_training_rows(task, task.data, network.activation()) : nullptr) {}

  MonitoredRows monitored() override { return {replayed_.get(), fit_->train_loss(), true}; }

  backend::DeviceStep next(std::size_t step, std::size_t planned) override {
    if (replayed_) {
      fit_->resume_from(step, replayed_->scores());
      replayed_.reset();
    }
    if (taken_ == grown_.size()) {
      const auto start = std::chrono::steady_clock::now();
      grown_ = fit_->grow(std::min(steps_per_call_, planned - step));
      taken_ = 0;
      if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(125))
        steps_per_call_ = std::min(2 * steps_per_call_, max_steps_per_call);
    }
    return std::move(grown_[taken_++]);
  }

 private:
  static constexpr std::size_t max_steps_per_call = 32;
  std::unique_ptr<backend::DeviceFit> fit_;
  std::unique_ptr<backend::TrainingRows> replayed_;
  std::vector<backend::DeviceStep> grown_;
  std::size_t taken_ = 0, steps_per_call_ = 1;
};

}  // namespace

std::unique_ptr<StepSource> make_step_source(const TrainTask& task, const network::Network& network) {
  if (runs_steps_on_device(task)) return std::make_unique<DeviceSteps>(task, network);
  return std::make_unique<BackendSteps>(task, network);
}

}  // namespace accrete::boosting
