// The figures of a model's page that do not follow the slider: loss, steps, and importance of the columns.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/charts/text.hpp"
#include "report/model/model_report.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t max_line_points = 400;
constexpr std::size_t max_step_points = 2000;
constexpr std::size_t max_columns = 30;
constexpr std::size_t max_table_steps = 10;

/// At most max_count indices out of 0 .. size - 1, evenly spaced, including the last.
std::vector<std::size_t> thin(std::size_t size, std::size_t max_count) {
  std::vector<std::size_t> indices;
  const std::size_t count = std::min(size, max_count);
  for (std::size_t i = 1; i <= count; ++i) indices.push_back(size * i / count - 1);
  return indices;
}

/// The losses after 0, 1, 2, ... steps of the model.
Series loss_series(const model::Model& model, const std::vector<double>& loss, std::string name, std::size_t colour) {
  Series series{.name = std::move(name), .colour = colour};
  for (const std::size_t s : thin(std::min(loss.size(), model.network.steps() + 1), max_line_points)) {
    series.x.push_back(static_cast<double>(model.network.units_after(s)));
    series.y.push_back(loss[s]);
  }
  return series;
}

/// Losses that span more than a factor of 20 need a logarithmic axis.
bool wants_log(const Plot& plot) {
  constexpr double factor = 20.0;
  double low = INFINITY, high = 0.0;
  for (const Series& series : plot.series)
    for (const double y : series.y) low = std::min(low, y), high = std::max(high, y);
  return low > 0.0 && high > factor * low;
}

}  // namespace

Figure loss_figure(const model::Model& model, const Measures& m) {
  Plot plot{.title = fmt::format("Loss ({}) over units", model.loss.name()),
            .x = {.label = "units used"},
            .y = {.label = "mean loss"}};
  const auto& training = model.provenance;
  plot.series.push_back(loss_series(model, m.loss, "these rows", 0));
  if (!training.train_loss.empty()) plot.series.push_back(loss_series(model, training.train_loss, "training rows", 6));
  if (!training.validation_loss.empty())
    plot.series.push_back(loss_series(model, training.validation_loss, "held-out rows", 1));
  plot.y.log = wants_log(plot);
  Table table{{"units"}, {}};
  for (const Series& series : plot.series) table.header.push_back(series.name);
  for (const PrefixMeasures& prefix : m.prefixes) {
    table.rows.push_back({std::to_string(prefix.units), show_number(m.loss[prefix.steps])});
    for (const auto* loss : {&training.train_loss, &training.validation_loss})
      if (!loss->empty())
        table.rows.back().push_back(prefix.steps < loss->size() ? show_number((*loss)[prefix.steps]) : "\u2013");
  }
  return {"loss", "On these rows, and as recorded during training.", std::move(plot), std::move(table)};
}

Figure steps_figure(const model::Model& model, const Measures& m) {
  Plot plot{.title = "Loss change per step",
            .x = {.label = "units after the step"},
            .y = {.label = "change of the loss", .log = true}};
  Series fell{.name = "decrease", .mark = Mark::points, .colour = 0};
  Series rose{.name = "increase", .mark = Mark::points, .colour = 1};
  std::vector<std::size_t> order(m.loss.size() - 1);
  std::iota(order.begin(), order.end(), std::size_t{1});
  const auto change = [&](std::size_t step) { return m.loss[step] - m.loss[step - 1]; };
  for (const std::size_t i : thin(order.size(), max_step_points)) {
    Series& series = change(order[i]) <= 0.0 ? fell : rose;
    series.x.push_back(static_cast<double>(model.network.units_after(order[i])));
    series.y.push_back(std::abs(change(order[i])));
  }
  const std::size_t risen =
      static_cast<std::size_t>(std::ranges::count_if(order, [&](auto s) { return change(s) > 0.0; }));
  plot.series = {std::move(fell), std::move(rose)};
  std::ranges::stable_sort(order, [&](auto a, auto b) { return std::abs(change(a)) > std::abs(change(b)); });
  Table table{{"step", "units after it", "change of the loss"}, {}};
  for (std::size_t i = 0; i < std::min(order.size(), max_table_steps); ++i)
    table.rows.push_back({std::to_string(order[i]), std::to_string(model.network.units_after(order[i])),
                          fmt::format("{:+.4g}", change(order[i]))});
  return {
      "steps",
      fmt::format("Each point is a step. {} of {} lowered the loss on these rows. The table lists the largest changes.",
                  order.size() - risen, counted(order.size(), "step")),
      std::move(plot), std::move(table)};
}

Figure importance_figure(const Importances& importances) {
  const bool percent = importances.metric == "accuracy";
  const double scale = percent ? 100.0 : 1.0;
  const std::string unit = percent ? "decrease of accuracy, percentage points"
                                   : fmt::format("increase of {}", metric_title(importances.metric));
  Plot plot{.title = "Permutation importance", .x = {.label = unit}, .y = {.label = ""}};
  Series bars{.mark = Mark::bars, .colour = 2};
  Table table{{"column", unit, "standard deviation over repeats"}, {}};
  for (const ColumnImportance& column : importances.columns) {
    const double mean = scale * column.mean, sd = scale * column.sd;
    table.rows.push_back({column.column, fmt::format("{:.4g}", mean), fmt::format("{:.2g}", sd)});
    if (bars.x.size() == max_columns) continue;
    bars.y.push_back(static_cast<double>(bars.x.size()));
    bars.x.push_back(mean);
    bars.low.push_back(mean - sd);
    bars.high.push_back(mean + sd);
    plot.y.categories.push_back(column.column);
  }
  plot.series = {std::move(bars)};
  std::string caption = fmt::format(
      "How much worse {} of the full network gets when a column is shuffled: mean and standard deviation over {}, on "
      "{}.",
      metric_title(importances.metric), counted(importances.repeats, "shuffle"), counted(importances.rows, "row"));
  if (importances.columns.size() > max_columns)
    caption +=
        fmt::format(" The first {} of {} columns; the table lists all.", max_columns, importances.columns.size());
  return {"importance", std::move(caption), std::move(plot), std::move(table)};
}

}  // namespace accrete::report
