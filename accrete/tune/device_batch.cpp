#include "accrete/tune/device_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accrete/boosting/prepare.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/tune/scores.hpp"

namespace accrete::tune {
namespace {

/// The parameters that affect how rows are encoded. Fits with equal values share encoded rows.
std::string rows_text(const config::ResolvedConfig& c) {
  return fmt::format("{} {} {} {} {} {}", c.bins, text_of(c.class_weight), text_of(c.group_weight), c.loss,
                     c.standardise_target, c.subsample < 1.0);
}

[[noreturn]] void refuse_on_device(const std::string& device, const core::Message& reason) {
  throw core::UsageError(core::parameter("device", device),
                         core::message("{}; use {}", reason, core::parameter("device", "cpu")));
}

[[noreturn]] void refuse_parameter_on_device(const std::string& device, const char* parameter) {
  refuse_on_device(device, core::message("cross-validation with {} runs on the CPU only", core::parameter(parameter)));
}

/// A device runs every fit for a fixed number of units and cannot stop one early.
void check_length(const config::ResolvedConfig& config, const std::string& device) {
  if (config.validation_fraction > 0.0) refuse_parameter_on_device(device, "validation_fraction");
  if (config.time_limit > 0.0) refuse_parameter_on_device(device, "time_limit");
}

}  // namespace

std::size_t DeviceBatch::rows_for(const data::Split& split, boosting::FitOptions options,
                                  config::ResolvedConfig& config) {
  const bool shared = !config.automatic;  // automatically chosen parameters belong to a single fit
  const std::pair key{&split, rows_text(config)};
  if (const auto at = known_.find(key); shared && at != known_.end()) {
    if (is_constant_[at->second]) config.units = 0;
    return at->second;
  }
  options.rows = split.train;
  options.device = &device_;  // also used for choosing
  boosting::PreparedFit prepared = boosting::prepare_fit(table_, options);
  data::Features test = prepared.model.encoder.encode(table_, split.test);
  config = prepared.config;
  if (prepared.is_constant) config.units = 0;
  is_constant_.push_back(prepared.is_constant);
  rows_.push_back({std::move(prepared.train), std::move(test)});
  models_.push_back(std::move(prepared.model));
  if (shared) known_.emplace(key, rows_.size() - 1);
  return rows_.size() - 1;
}

void DeviceBatch::add(const data::Split& split, boosting::FitOptions options, Scored scored,
                      std::span<const std::size_t> units) {
  backend::FitRequest fit;
  fit.config = config::configure(options.preset, options.task.value(), options.config);
  check_length(fit.config, device_.name());
  if (!options.offset_column.empty()) refuse_parameter_on_device(device_.name(), "offset_column");
  fit.rows = rows_for(split, std::move(options), fit.config);
  const auto bias = models_[fit.rows].network.bias_after(0);
  fit.start.assign(bias.begin(), bias.end());
  const std::size_t step = fit.config.units_per_step, steps = fit.config.units / step;
  if (scored == Scored::listed)
    for (const std::size_t count : units) fit.prefixes.push_back(std::min(count / step, steps));
  else if (scored == Scored::whole || steps == 0)
    fit.prefixes.push_back(steps);
  else
    fit.prefixes.resize(steps), std::iota(fit.prefixes.begin(), fit.prefixes.end(), std::size_t{1});
  if (const auto reason = device_.unsupported_reason(fit.config, fit.start.size()); !reason.empty())
    refuse_on_device(device_.name(), reason);
  fits_.push_back(std::move(fit));
}

std::size_t DeviceBatch::units(std::size_t which) const {
  const config::ResolvedConfig& config = fits_[which].config;
  return config.units / config.units_per_step * config.units_per_step;
}

core::Matrix<double> DeviceBatch::predictions(std::size_t which, const backend::FitScores& scores,
                                              std::size_t prefix) const {
  return model::apply_link(model(which), scores.prefixes[prefix]);
}

bool run_tasks(const DeviceBatch& batch, std::span<const FitTask> tasks, std::chrono::steady_clock::time_point start,
               const std::function<void(std::size_t, FitRecord)>& done, const std::function<bool()>& stop) {
  std::size_t finished = 0;
  backend::FitCallbacks callbacks;
  callbacks.stop = stop;
  callbacks.done = [&](std::size_t which, const backend::FitScores& scores) {
    const FitTask& task = tasks[which];
    FitRecord record;
    record.units = batch.units(which);
    for (std::size_t p = 0; p < task.units.size(); ++p)
      record.prefixes.push_back(
          {task.units[p], std::isfinite(scores.train_loss)
                              ? scores_of(task.problem, task.split.test, batch.predictions(which, scores, p),
                                          batch.model(which).point())
                              : no_scores(task.problem.target.task)});
    // Fits ran concurrently; divide the elapsed time among those finished so far.
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
                     static_cast<double>(++finished);
    done(which, std::move(record));
  };
  return batch.run(callbacks);
}

}  // namespace accrete::tune
