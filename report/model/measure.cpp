#include "report/model/measure.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "accrete/core/random.hpp"
#include "accrete/loss/custom.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/model/interval.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/offsets.hpp"
#include "accrete/model/staged_rows.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t max_prefixes = 55;
constexpr std::size_t max_scatter_points = 2000;
constexpr std::size_t chunk_rows = 4096;

/// Sums of weight * loss and of weights.
struct WeightedLoss {
  double loss = 0.0, weight = 0.0;
};

/// The loss of rows first .. first + count - 1.
WeightedLoss chunk_loss(const LabelledRows& data, core::MatrixView<const double> scores, std::size_t first,
                        std::size_t count) {
  const model::Model& model = data.model;
  const std::size_t targets = data.targets.cols();
  std::vector<double> y(count * targets), f(count * scores.cols), value(count);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t t = 0; t < targets; ++t) {
      const double target = data.targets(first + r, t);
      y[t * count + r] = model.target_scale.empty() ? target : (target - model.target_shift[t]) / model.target_scale[t];
    }
    for (std::size_t k = 0; k < scores.cols; ++k) f[k * count + r] = scores(first + r, k);
  }
  const loss::LossRows<double> run{.count = count,
                                   .stride = count,
                                   .outputs = scores.cols,
                                   .targets = y.data(),
                                   .scores = f.data(),
                                   .settings = model.loss.settings};
  model.loss.visit([&](auto l) { decltype(l)::values(run, value.data()); });
  WeightedLoss sums;
  for (std::size_t r = 0; r < count; ++r) {
    const double weight = data.weights.empty() ? 1.0 : data.weights[first + r];
    sums.loss += weight * value[r];
    sums.weight += weight;
  }
  return sums;
}

std::vector<std::vector<double>> by_target(core::MatrixView<const double> values, std::size_t first,
                                           std::size_t targets, std::span<const std::size_t> rows) {
  std::vector<std::vector<double>> result(targets);
  for (std::size_t t = 0; t < targets; ++t)
    for (const std::size_t r : rows) result[t].push_back(values(r, first + t));
  return result;
}

PrefixMeasures measure_prefix(const LabelledRows& data, const ConfusionClasses& classes,
                              std::span<const std::size_t> sample, core::MatrixView<const double> predictions,
                              std::size_t steps) {
  PrefixMeasures result;
  result.steps = steps;
  result.units = data.model.network.units_after(steps);
  const metric::LabelledPredictions c = data.with(predictions);
  for (const auto& [name, value] : metric::all_for(data.model.task, c)) result.metrics.push_back(value);
  if (data.model.calibration.coverage > 0.0) {
    const auto quality = model::measure_intervals(data.model, predictions, steps, data.targets, data.weights);
    result.metrics.insert(result.metrics.end(), {quality.coverage, quality.size});
  }
  if (data.model.task == data::Task::regression) {
    result.predicted = by_target(predictions, data.model.point().column, data.targets.cols(), sample);
  } else {
    result.confusion = confusion(c, classes);
    result.calibration = calibration(c);
  }
  return result;
}

}  // namespace

std::string interval_size_name(const model::Model& model) {
  return model.classes.empty() ? "interval_width" : "set_size";
}

std::vector<std::size_t> choose_prefixes(std::size_t steps) {
  if (steps == 0) return {0};
  const std::size_t count = std::min(steps, max_prefixes);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(max_prefixes - 1);
    const auto spaced = static_cast<std::size_t>(std::lround(share * share * static_cast<double>(steps - 1)));
    chosen.push_back(1 + (steps == count ? i : spaced));
  }
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

double mean_loss(const LabelledRows& data, core::MatrixView<const double> scores, core::Workers& workers) {
  const std::size_t chunks = (scores.rows + chunk_rows - 1) / chunk_rows;
  std::vector<WeightedLoss> sums(chunks);
  workers.run(chunks, [&](std::size_t i) {
    sums[i] = chunk_loss(data, scores, i * chunk_rows, std::min(chunk_rows, scores.rows - i * chunk_rows));
  });
  WeightedLoss all;
  for (const WeightedLoss& chunk : sums) all.loss += chunk.loss, all.weight += chunk.weight;
  const auto& scale = data.model.target_scale;
  const double mean = all.loss / all.weight;
  return scale.size() == 1 ? data.model.loss.in_target_units(mean, scale[0]) : mean;
}

Measures measure(const LabelledRows& data, std::uint64_t seed, const ProgressCallback& progress,
                 core::Workers& workers) {
  const model::Model& model = data.model;
  Measures result;
  for (std::size_t i = 0; i < metric::All::size; ++i)
    if (const metric::Metric metric{i}; metric.fits(model.task)) result.metrics.emplace_back(metric.name());
  result.main_metric =
      static_cast<std::size_t>(std::ranges::find(result.metrics, metric::primary(model.task)) - result.metrics.begin());
  if (model.calibration.coverage > 0.0)
    result.metrics.insert(result.metrics.end(), {"coverage", interval_size_name(model)});
  std::vector<std::size_t> sample;
  if (model.task == data::Task::regression) {
    const std::size_t rows = std::max<std::size_t>(1, max_scatter_points / data.targets.cols());
    sample = core::Rng(seed, 0, core::Purpose::rows).choose(data.table.rows(), std::min(rows, data.table.rows()));
    result.truth = by_target(data.targets, 0, data.targets.cols(), sample);
  } else {
    result.classes = choose_confusion_classes(data);
  }

  model::check_link(model, model.network.outputs());
  model::check_features(model);
  const model::StagedRows rows(model.encoder, data.table);
  network::StagedForward forward(model.network, rows.tiles(), workers);
  const auto wanted = choose_prefixes(model.network.steps());
  const bool has_loss = model.loss.name() != std::string_view(loss::Custom::name);
  auto next = wanted.begin();
  do {
    const auto scores = model::offset_scores(model, data.offsets, forward.scores());
    if (has_loss) result.loss.push_back(mean_loss(data, scores, workers));
    if (forward.steps() != *next) continue;
    if (progress && !progress(forward.steps(), model.network.steps())) return result.stopped = true, result;
    auto prefix = measure_prefix(data, result.classes, sample, model::apply_link(model, scores), forward.steps());
    result.prefixes.push_back(std::move(prefix));
    if (++next == wanted.end()) break;
  } while (forward.next());
  return result;
}

}  // namespace accrete::report
