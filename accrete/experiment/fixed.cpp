#include "accrete/experiment/fixed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accrete/tune/runs.hpp"

namespace accrete::experiment {

RunCounter::FitBatch batch_of(const FixedFits& fits, const TaskSplits& cut) {
  return {fits.data.task.name, fits.method.name, fits.points.size() * cut.splits.size(), fits.work * fits.data.size()};
}

std::vector<tune::FitRecord> run_fixed(const FixedFits& fits, const TaskSplits& cut, const RunOptions& options,
                                       RunCounter& ledger, core::Workers& workers) {
  const auto method = make_method(fits.method, fits.data.task.kind);
  const std::string study = fmt::format("{} units={}", cut.text, fmt::join(fits.units, ","));
  std::vector<tune::PlannedFit> planned;
  for (const tune::Settings& point : fits.points)
    for (std::size_t part = 0; part < cut.splits.size(); ++part) {
      tune::PlannedFit fit{method.get(),
                           &cut.splits[part],
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
  ledger.begin(batch_of(fits, cut));
  auto records = runs.run(planned);
  ledger.end(runs.done(), runs.found());
  return records;
}

}  // namespace accrete::experiment
