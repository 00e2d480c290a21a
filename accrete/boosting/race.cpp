#include "accrete/boosting/race.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace accrete::boosting {
namespace {

/// Parts with at least so many features in all are worth a team of threads each; smaller ones run one to a thread.
constexpr std::size_t large_part = 4'000'000;
/// Parts with so many are grown by a machine, where there is one, one after the other; the threads are as fast with
/// less.
constexpr std::size_t large_for_machine = 1'000'000;

/// What the rows held out weigh.
double weight_of(const EncodedSplit& part) {
  return static_cast<double>(part.validation->rows()) * part.validation->row_weight;
}

/// As far as every part has steps.
std::vector<double> mean_curve(const Runner& runner) {
  std::size_t points = runner.curves.front().validation.size();
  double total = 0.0;
  for (std::size_t p = 0; p < runner.parts.size(); ++p) {
    points = std::min(points, runner.curves[p].validation.size());
    total += weight_of(*runner.parts[p]);
  }
  std::vector<double> mean(points, 0.0);
  for (std::size_t p = 0; p < runner.parts.size(); ++p)
    for (std::size_t s = 0; s < points; ++s)
      mean[s] += runner.curves[p].validation[s] * weight_of(*runner.parts[p]) / total;
  return mean;
}

}  // namespace

std::size_t Runner::best_step() const {
  return static_cast<std::size_t>(std::ranges::min_element(held_out) - held_out.begin());
}

void Race::grow(Runner& runner, std::size_t part, std::size_t units, const Growers& by) {
  Config config = runner.config;
  config.units = units;
  config.patience = 0;
  const EncodedSplit& rows = *runner.parts[part];
  const TrainTask task{config, rows.train, task_.outputs, &*rows.validation, task_.backend, by.workers, {}, by.machine};
  network::Network network = runner.networks[part].outputs() > 0 ? runner.networks[part] : start_network(task);
  auto observe = [&](const StepReport&) {
    const std::size_t done = ++steps_done_;
    if (task_.go_on && std::this_thread::get_id() == caller_ && !task_.go_on(done)) ended_ = true;
    return !ended_;
  };
  TrainResult result = train(task, std::move(network), std::move(runner.curves[part]), observe);
  runner.networks[part] = std::move(result.network);
  runner.curves[part] = std::move(result.curves);
}

void Race::advance(std::vector<Runner*> runners, std::size_t units) {
  struct Fit {
    Runner* runner;
    std::size_t part;
  };
  std::vector<Fit> fits;
  std::size_t largest = 0;
  for (Runner* runner : runners) {
    runner->networks.resize(runner->parts.size());
    runner->curves.resize(runner->parts.size());
    for (std::size_t p = 0; p < runner->parts.size(); ++p) {
      fits.push_back({runner, p});
      const auto& features = runner->parts[p]->train.features;
      largest = std::max(largest, features.rows() * features.cols());
    }
  }
  backend::ManyFits* machine = largest >= large_for_machine ? task_.machine : nullptr;
  if (machine || largest >= large_part || fits.size() < task_.workers.threads()) {
    for (const Fit& fit : fits)
      if (!ended_) grow(*fit.runner, fit.part, units, {task_.workers, machine});
  } else {
    task_.workers.run(fits.size(), [&](std::size_t i) {
      core::Workers one(1);
      if (!ended_) grow(*fits[i].runner, fits[i].part, units, {one, nullptr});
    });
  }
  for (Runner* runner : runners)
    if (std::ranges::none_of(runner->curves, [](const Curves& c) { return c.validation.empty(); }))
      runner->held_out = mean_curve(*runner);
}

}  // namespace accrete::boosting
