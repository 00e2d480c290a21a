#include "accrete/experiment/fixed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accrete/tune/runs.hpp"

namespace accrete::experiment {

RunCounter::FitBatch batch_of(const FixedFits& fits, const TaskSplits& task_splits) {
  return {fits.data.task.name, fits.method.name, fits.points.size() * task_splits.splits.size(),
          fits.work * fits.data.size()};
}

std::vector<tune::FitRecord> run_fixed(const FixedFits& fits, const TaskSplits& task_splits,
                                       const ExperimentOptions& options, RunCounter& ledger, core::Workers& workers) {
  const auto method = make_method(fits.method, fits.data.task.kind);
  const std::string study = fmt::format("{} units={}", task_splits.text, fmt::join(fits.units, ","));
  std::vector<tune::PlannedFit> planned;
  for (const tune::Settings& point : fits.points)
    for (std::size_t part = 0; part < task_splits.splits.size(); ++part) {
      tune::PlannedFit fit{method.get(),
                           &task_splits.splits[part],
                           point,
                           {study, fits.data.fingerprint, method->text(point, fits.units.back())}};
      fit.key.inner_fold = static_cast<std::int64_t>(part);
      fit.key.seed = tune::seed_of(options.seed, fit.key, method->name());
      planned.push_back(std::move(fit));
    }
  const auto done = [&](std::size_t count, std::size_t) { ledger.progress(count); };
  tune::Runs runs(fits.data.problem,
                  {.units = fits.units,
                   .records = options.store,
                   .planned = planned.size(),
                   .done = done,
                   .stop = options.stop,
                   .comm = options.comm},
                  workers);
  ledger.begin(batch_of(fits, task_splits));
  auto records = runs.run(planned);
  ledger.end(runs.done(), runs.found());
  return records;
}

}  // namespace accrete::experiment
