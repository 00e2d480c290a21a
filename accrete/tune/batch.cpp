#include "accrete/tune/batch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "accrete/boosting/load.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/scores.hpp"

namespace accrete::tune {
namespace {

/// What of a configuration makes other rows of the same split: fits that agree in it share them.
std::string rows_text(const boosting::Config& c) {
  return fmt::format("{} {} {} {} {}", c.bins, c.class_weight, c.loss, c.standardise_target, c.subsample < 1.0);
}

/// These end a fit by something else than its units, which a machine with all of them at once does not look at.
void check_length(const boosting::Config& config, const std::string& machine) {
  if (config.validation_fraction > 0.0)
    throw core::UsageError(fmt::format("--device {}: --validation-fraction is for fits on the CPU", machine));
  if (config.time_limit > 0.0)
    throw core::UsageError(fmt::format("--device {}: --time-limit is for fits on the CPU", machine));
}

}  // namespace

std::size_t Batch::rows_for(const data::Split& split, boosting::FitOptions options, boosting::Config& config) {
  const bool shared = !config.automatic;  // a choice is one fit's own
  const std::pair key{&split, rows_text(config)};
  if (const auto at = known_.find(key); shared && at != known_.end()) return at->second;
  options.rows = split.train;
  options.machine = &machine_;  // for what is chosen
  boosting::Prepared prepared = boosting::prepare_fit(table_, options);
  data::Features test = prepared.model.encoder.encode(table_, split.test);
  config = prepared.config;
  rows_.push_back({std::move(prepared.train), std::move(test)});
  models_.push_back(std::move(prepared.model));
  if (shared) known_.emplace(key, rows_.size() - 1);
  return rows_.size() - 1;
}

void Batch::add(const data::Split& split, boosting::FitOptions options, Scored scored,
                std::span<const std::size_t> units) {
  backend::WholeFit fit;
  fit.config = boosting::configure(options.preset, options.task.value(), options.overrides);
  check_length(fit.config, machine_.name());
  fit.rows = rows_for(split, std::move(options), fit.config);
  const auto bias = models_[fit.rows].network.bias_after(0);
  fit.start.assign(bias.begin(), bias.end());
  const std::size_t step = fit.config.units_per_step, steps = fit.config.units / step;
  if (scored == Scored::listed)
    for (const std::size_t count : units) fit.prefixes.push_back(count / step);
  else if (scored == Scored::whole)
    fit.prefixes.push_back(steps);
  else
    fit.prefixes.resize(steps), std::iota(fit.prefixes.begin(), fit.prefixes.end(), std::size_t{1});
  if (const auto reason = machine_.reason_against(fit.config, fit.start.size()); !reason.empty())
    throw core::UsageError(fmt::format("--device {}: {}", machine_.name(), reason));
  fits_.push_back(std::move(fit));
}

std::size_t Batch::units(std::size_t which) const {
  const boosting::Config& config = fits_[which].config;
  return config.units / config.units_per_step * config.units_per_step;
}

core::Matrix<double> Batch::predictions(std::size_t which, const backend::FitScores& scores, std::size_t prefix) const {
  return model::apply_link(model(which), scores.prefixes[prefix]);
}

bool run_tasks(const Batch& batch, std::span<const FitTask> tasks, std::chrono::steady_clock::time_point start,
               const std::function<void(std::size_t, FitRecord)>& done, const std::function<bool()>& stop) {
  std::size_t finished = 0;
  backend::FitsWatch watch;
  watch.stop = stop;
  watch.done = [&](std::size_t which, const backend::FitScores& scores) {
    const FitTask& task = tasks[which];
    FitRecord record;
    record.units = batch.units(which);
    for (std::size_t p = 0; p < task.units.size(); ++p)
      record.prefixes.push_back(
          {task.units[p], std::isfinite(scores.train_loss)
                              ? scores_of(task.problem, task.split.test, batch.predictions(which, scores, p))
                              : no_scores(task.problem.target.task)});
    // They ran side by side: each has its share of the time.
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
                     static_cast<double>(++finished);
    done(which, std::move(record));
  };
  return batch.run(watch);
}

}  // namespace accrete::tune
