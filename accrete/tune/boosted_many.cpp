// The boosted network's fits on a machine that does many at once: rows are encoded here, once for all fits that share
// them, and the scores that come back are judged here.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>

#include "accrete/boosting/load.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/scores.hpp"

namespace accrete::tune {
namespace {

/// What of a configuration makes other rows of the same split: fits that agree in it share them.
std::string rows_text(const boosting::Config& c) {
  return fmt::format("{} {} {} {} {}", c.bins, c.class_weight, c.loss, c.standardise_target, c.subsample < 1.0);
}

/// Fits for a machine, with the rows they share and the models that say what their scores mean.
class Batch {
 public:
  Batch(std::span<const FitTask> tasks, data::Task kind) : tasks_(tasks), kind_(kind) {}

  /// The next task's fit. options: all of it but the rows.
  void add(const FitTask& task, boosting::FitOptions options) {
    backend::WholeFit fit;
    fit.config = boosting::configure(options.preset, kind_, options.overrides);
    const auto [at, fresh] = known_.try_emplace({&task.split, rows_text(fit.config)}, rows_.size());
    if (fresh) {
      options.rows = task.split.train;
      boosting::Prepared prepared = boosting::prepare_fit(task.problem.table, options);
      data::Features test = prepared.model.encoder.encode(task.problem.table, task.split.test);
      rows_.push_back({std::move(prepared.train), std::move(test)});
      models_.push_back(std::move(prepared.model));
    }
    fit.rows = at->second;
    const auto bias = models_[fit.rows].network.bias_after(0);
    fit.start.assign(bias.begin(), bias.end());
    for (const std::size_t units : task.units) fit.prefixes.push_back(units / fit.config.units_per_step);
    fits_.push_back(std::move(fit));
  }

  std::span<const backend::SharedRows> rows() const { return rows_; }
  std::span<const backend::WholeFit> fits() const { return fits_; }

  FitRecord record(std::size_t which, const backend::FitScores& scores) const {
    const FitTask& task = tasks_[which];
    const backend::WholeFit& fit = fits_[which];
    FitRecord record;
    record.units = fit.prefixes.back() * fit.config.units_per_step;
    for (std::size_t p = 0; p < task.units.size(); ++p)
      record.prefixes.push_back(
          {task.units[p],
           std::isfinite(scores.train_loss)
               ? scores_of(task.problem, task.split.test, model::apply_link(models_[fit.rows], scores.prefixes[p]))
               : no_scores(kind_)});
    return record;
  }

 private:
  std::span<const FitTask> tasks_;
  data::Task kind_;
  std::map<std::pair<const data::Split*, std::string>, std::size_t> known_;
  std::vector<backend::SharedRows> rows_;
  std::vector<model::Model> models_;  ///< one for each of the rows
  std::vector<backend::WholeFit> fits_;
};

}  // namespace

bool Boosted::fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                       const std::function<bool()>& stop) const {
  const auto start = std::chrono::steady_clock::now();
  Batch batch(tasks, task_);
  for (const FitTask& task : tasks) {
    if (stop && stop()) return false;
    boosting::FitOptions all = options(task.settings, task.units.back());
    all.overrides.emplace_back("seed", std::to_string(task.seed));
    batch.add(task, std::move(all));
    const backend::WholeFit& fit = batch.fits().back();
    if (const auto reason = machine_->reason_against(fit.config, fit.start.size()); !reason.empty())
      throw core::UsageError(fmt::format("--device {}: {}", machine_->name(), reason));
  }
  std::size_t finished = 0;
  backend::FitsWatch watch;
  watch.stop = stop;
  watch.done = [&](std::size_t which, const backend::FitScores& scores) {
    FitRecord record = batch.record(which, scores);
    // They ran side by side: each has its share of the time.
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
                     static_cast<double>(++finished);
    done(which, std::move(record));
  };
  return machine_->fit(batch.rows(), batch.fits(), watch);
}

}  // namespace accrete::tune
