// Boosted::fit_many: all fits of a search on one device.

#include <chrono>

#include "accrete/tune/boosted.hpp"
#include "accrete/tune/device_batch.hpp"

namespace accrete::tune {

bool Boosted::fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                       const std::function<bool()>& stop) const {
  const auto start = std::chrono::steady_clock::now();
  if (tasks.empty()) return true;
  DeviceBatch batch(tasks.front().problem.table, *device_);
  for (const FitTask& task : tasks) {
    if (stop && stop()) return false;
    boosting::FitOptions all = options(task.settings, task.units.back());
    all.config.seed = task.seed;
    batch.add(task.split, std::move(all), DeviceBatch::Scored::listed, task.units);
  }
  return run_tasks(batch, tasks, start, done, stop);
}

}  // namespace accrete::tune
