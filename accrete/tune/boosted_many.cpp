// The boosted network's fits on a machine that does many at once.

#include <chrono>
#include <cmath>

#include "accrete/tune/batch.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/scores.hpp"

namespace accrete::tune {

bool Boosted::fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                       const std::function<bool()>& stop) const {
  const auto start = std::chrono::steady_clock::now();
  if (tasks.empty()) return true;
  Batch batch(tasks.front().problem.table, *machine_);
  for (const FitTask& task : tasks) {
    if (stop && stop()) return false;
    boosting::FitOptions all = options(task.settings, task.units.back());
    all.overrides.emplace_back("seed", std::to_string(task.seed));
    batch.add(task.split, std::move(all), Batch::Scored::listed, task.units);
  }
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
                              : no_scores(task_)});
    // They ran side by side: each has its share of the time.
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
                     static_cast<double>(++finished);
    done(which, std::move(record));
  };
  return batch.run(watch);
}

}  // namespace accrete::tune
