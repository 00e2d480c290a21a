// The boosted network's fits on a machine that does many at once.

#include <chrono>

#include "accrete/tune/batch.hpp"
#include "accrete/tune/boosted.hpp"

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
  return run_tasks(batch, tasks, start, done, stop);
}

}  // namespace accrete::tune
