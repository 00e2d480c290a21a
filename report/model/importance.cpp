#include "report/model/importance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "accrete/core/random.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/model/offsets.hpp"
#include "report/model/sampled_rows.hpp"

namespace accrete::report {
namespace {

constexpr double max_products = 1e11;
constexpr std::size_t min_rows = 200, max_permuted_rows = 10'000;

ColumnImportance summarise(const std::string& column, const std::vector<double>& losses) {
  const auto n = static_cast<double>(losses.size());
  ColumnImportance result{column, std::accumulate(losses.begin(), losses.end(), 0.0) / n, 0.0};
  double squares = 0.0;
  for (const double loss : losses) squares += (loss - result.mean) * (loss - result.mean);
  if (losses.size() > 1) result.sd = std::sqrt(squares / (n - 1.0));
  return result;
}

}  // namespace

std::size_t importance_rows(const model::Model& model, std::size_t rows, std::size_t repeats) {
  const double per_row = static_cast<double>(model.encoder.inputs().size()) * static_cast<double>(repeats) *
                         static_cast<double>(std::max<std::size_t>(1, model.network.units())) *
                         static_cast<double>(model.network.features() + model.network.outputs());
  const auto affordable = static_cast<std::size_t>(std::min(max_products / std::max(per_row, 1.0), 1e9));
  return std::min(rows, std::clamp(affordable, min_rows, max_permuted_rows));
}

Importances importances(const LabelledRows& data, const ImportanceOptions& options, core::Workers& workers) {
  const auto metric = metric::Metric::named(metric::primary(data.model.task));
  const std::size_t rows = importance_rows(data.model, data.table.rows(), options.repeats);
  const auto chosen = core::Rng(options.seed, 0, core::Purpose::rows).choose(data.table.rows(), rows);
  SampledRows sample(data, chosen);
  const auto measure = [&] {
    auto predictions = model::predict(data.model, sample.table, data.model.network.steps(), workers);
    if (!sample.offsets.empty()) model::add_offsets(data.model, sample.offsets, predictions);
    return metric.value({predictions, sample.targets, sample.weights});
  };

  Importances result{metric.name(), measure(), rows, options.repeats, {}, false};
  const std::size_t total = sample.table.columns.size() * options.repeats;
  std::size_t done = 0;
  for (data::Column& column : sample.table.columns) {
    const data::Column original = column;
    std::vector<double> losses;
    for (std::size_t repeat = 0; repeat < options.repeats; ++repeat) {
      if (options.progress && !options.progress(done, total)) return result.stopped = true, result;
      std::vector<std::size_t> order(rows);
      std::iota(order.begin(), order.end(), std::size_t{0});
      core::Rng(options.seed, ++done, core::Purpose::features).shuffle(std::span(order));
      column = data::take_rows(original, order);
      losses.push_back(metric.higher_is_better() ? result.unshuffled - measure() : measure() - result.unshuffled);
    }
    column = original;
    result.columns.push_back(summarise(column.name, losses));
  }
  std::ranges::stable_sort(result.columns, [](const auto& a, const auto& b) { return a.mean > b.mean; });
  return result;
}

}  // namespace accrete::report
