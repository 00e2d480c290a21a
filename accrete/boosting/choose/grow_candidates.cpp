#include "accrete/boosting/choose/grow_candidates.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace accrete::boosting {
namespace {

/// Folds of at least this many numbers use all threads, one fold at a time; smaller ones run one per thread.
constexpr std::size_t min_numbers_for_threads = 4'000'000;
/// The folds run on the device, if there is one and an evaluation of the largest reads at least this many numbers;
/// below that the CPU threads are as fast.
constexpr std::size_t min_numbers_for_device = 1'000'000;

/// Numbers that an evaluation reads: features, or the codes of columns in lookup tables.
std::size_t numbers_read(const data::Features& x) {
  return x.has_wide_columns() ? x.rows() * x.groups() : x.numbers();
}

/// Total weight of the held-out rows.
double weight_of(const EncodedSplit& fold) {
  return static_cast<double>(fold.validation->rows()) * fold.validation->row_weight;
}

/// The mean of one curve over the folds, up to the shortest of them.
std::vector<double> mean_curve(const Candidate& candidate, std::vector<double> Curves::*curve) {
  std::size_t points = (candidate.curves.front().*curve).size();
  double total = 0.0;
  for (std::size_t f = 0; f < candidate.folds.size(); ++f) {
    points = std::min(points, (candidate.curves[f].*curve).size());
    total += weight_of(*candidate.folds[f]);
  }
  std::vector<double> mean(points, 0.0);
  for (std::size_t f = 0; f < candidate.folds.size(); ++f)
    for (std::size_t s = 0; s < points; ++s)
      mean[s] += (candidate.curves[f].*curve)[s] * weight_of(*candidate.folds[f]) / total;
  return mean;
}

}  // namespace

bool is_one_per_thread(const EncodedSplit& fold) {
  return fold.train.features.numbers() < min_numbers_for_threads;
}

std::size_t Candidate::best_step() const {
  return static_cast<std::size_t>(std::ranges::min_element(held_out_loss) - held_out_loss.begin());
}

void CandidateGrowth::grow_fold(Candidate& candidate, std::size_t fold, std::size_t units, core::Workers& workers,
                                backend::FitDevice* device) {
  config::ResolvedConfig config = candidate.config;
  config.units = units;
  config.patience = 0;
  config.learning_rate = std::max(config.learning_rate, task_.min_learning_rate);
  const EncodedSplit& rows = *candidate.folds[fold];
  const TrainTask task{.config = config,
                       .data = rows.train,
                       .outputs = task_.outputs,
                       .validation = &*rows.validation,
                       .backend = task_.backend,
                       .workers = workers,
                       .device = device,
                       .custom_loss = task_.custom_loss,
                       .metric = candidate.metrics.empty() ? ValidationMetric() : candidate.metrics[fold],
                       .is_out_of_time = task_.is_out_of_time,
                       .constraints = rows.constraints ? &*rows.constraints : nullptr};
  network::Network& grown = candidate.networks[fold];
  network::Network network = grown.outputs() > 0 ? grown : start_network(task);
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
  auto observe = [&](const StepReport&) {
    const auto now = Clock::now();
    candidate.times->seconds += std::chrono::duration<double>(now - std::exchange(last, now)).count();
    ++candidate.times->steps;
    if (task_.keep_going && std::this_thread::get_id() == caller_ && !task_.keep_going()) stopped_ = true;
    return !stopped_;
  };
  TrainResult result = train(task, std::move(network), std::move(candidate.curves[fold]), observe);
  grown = std::move(result.network);
  candidate.curves[fold] = std::move(result.curves);
}

void CandidateGrowth::grow_to(const std::vector<Candidate*>& candidates, std::size_t units) {
  struct FoldFit {
    Candidate* candidate;
    std::size_t fold;
  };
  std::vector<FoldFit> fits;
  std::size_t max_numbers = 0, max_read = 0;
  for (Candidate* candidate : candidates) {
    if (candidate->units() >= units) continue;
    candidate->networks.resize(candidate->folds.size());
    candidate->curves.resize(candidate->folds.size());
    for (std::size_t f = 0; f < candidate->folds.size(); ++f) {
      fits.push_back({candidate, f});
      max_numbers = std::max(max_numbers, candidate->folds[f]->train.features.numbers());
      max_read = std::max(max_read, numbers_read(candidate->folds[f]->train.features));
    }
  }
  backend::FitDevice* device = max_read >= min_numbers_for_device ? task_.device : nullptr;
  if (device || max_numbers >= min_numbers_for_threads || fits.size() < task_.workers.threads()) {
    for (const FoldFit& fit : fits)
      if (!stopped_) grow_fold(*fit.candidate, fit.fold, units, task_.workers, device);
  } else {
    task_.workers.run(fits.size(), [&](std::size_t i) {
      core::Workers one(1);
      if (!stopped_) grow_fold(*fits[i].candidate, fits[i].fold, units, one, nullptr);
    });
  }
  for (Candidate* candidate : candidates)
    if (std::ranges::none_of(candidate->curves, [](const Curves& c) { return c.validation.empty(); })) {
      candidate->held_out_loss = mean_curve(*candidate, &Curves::validation);
      if (!candidate->metrics.empty()) candidate->held_out_metric = mean_curve(*candidate, &Curves::metric);
    }
}

}  // namespace accrete::boosting
