// The figures of a model's page that show all steps at once, and the columns.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/model_report.hpp"
#include "report/text.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t most_line_points = 400;
constexpr std::size_t most_step_points = 2000;
constexpr std::size_t most_columns = 30;
constexpr std::size_t steps_in_the_table = 10;

/// Places 0 .. size - 1, thinned evenly where there are more than a picture needs; the last is among them.
std::vector<std::size_t> thinned(std::size_t size, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t pieces = std::min(size, most);
  for (std::size_t i = 1; i <= pieces; ++i) places.push_back(size * i / pieces - 1);
  return places;
}

/// A curve after 0, 1, 2, ... steps, as far as the model has steps.
Series loss_series(const model::Model& model, const std::vector<double>& loss, std::string name, std::size_t colour) {
  Series series{.name = std::move(name), .colour = colour};
  for (const std::size_t s : thinned(std::min(loss.size(), model.network.steps() + 1), most_line_points)) {
    series.x.push_back(static_cast<double>(model.network.units_after(s)));
    series.y.push_back(loss[s]);
  }
  return series;
}

/// Losses that fall by more than this are told apart on a logarithmic axis only.
bool wants_log(const Plot& plot) {
  constexpr double factor = 20.0;
  double low = INFINITY, high = 0.0;
  for (const Series& series : plot.series)
    for (const double y : series.y) low = std::min(low, y), high = std::max(high, y);
  return low > 0.0 && high > factor * low;
}

}  // namespace

Figure loss_figure(const model::Model& model, const Measures& m) {
  Plot plot{.title = fmt::format("The loss ({}) over units", model.loss.name()),
            .x = {.label = "units used"},
            .y = {.label = "mean loss of a row"}};
  const auto& kept = model.provenance;
  plot.series.push_back(loss_series(model, m.loss, "on these rows", 0));
  if (!kept.train_loss.empty()) plot.series.push_back(loss_series(model, kept.train_loss, "in training", 6));
  if (!kept.validation_loss.empty())
    plot.series.push_back(loss_series(model, kept.validation_loss, "on rows held out in training", 1));
  plot.y.log = wants_log(plot);
  Table table{{"units"}, {}};
  for (const Series& series : plot.series) table.header.push_back(series.name);
  for (const PrefixMeasures& prefix : m.prefixes) {
    table.rows.push_back({std::to_string(prefix.units), show_number(m.loss[prefix.steps])});
    for (const auto* loss : {&kept.train_loss, &kept.validation_loss})
      if (!loss->empty())
        table.rows.back().push_back(prefix.steps < loss->size() ? show_number((*loss)[prefix.steps]) : "\u2013");
  }
  return {"loss", "What training lowers: on these rows, and as the model file keeps it from training.", std::move(plot),
          std::move(table)};
}

Figure steps_figure(const model::Model& model, const Measures& m) {
  Plot plot{.title = "What each step brought",
            .x = {.label = "units after the step"},
            .y = {.label = "change of the loss on these rows", .log = true}};
  Series fell{.name = "the loss fell by", .mark = Mark::points, .colour = 0};
  Series rose{.name = "the loss rose by", .mark = Mark::points, .colour = 1};
  std::vector<std::size_t> order(m.loss.size() - 1);
  std::iota(order.begin(), order.end(), std::size_t{1});
  const auto change = [&](std::size_t step) { return m.loss[step] - m.loss[step - 1]; };
  for (const std::size_t i : thinned(order.size(), most_step_points)) {
    Series& series = change(order[i]) <= 0.0 ? fell : rose;
    series.x.push_back(static_cast<double>(model.network.units_after(order[i])));
    series.y.push_back(std::abs(change(order[i])));
  }
  const std::size_t risen =
      static_cast<std::size_t>(std::ranges::count_if(order, [&](auto s) { return change(s) > 0.0; }));
  plot.series = {std::move(fell), std::move(rose)};
  std::ranges::stable_sort(order, [&](auto a, auto b) { return std::abs(change(a)) > std::abs(change(b)); });
  Table table{{"step", "units after it", "change of the loss"}, {}};
  for (std::size_t i = 0; i < std::min(order.size(), steps_in_the_table); ++i)
    table.rows.push_back({std::to_string(order[i]), std::to_string(model.network.units_after(order[i])),
                          fmt::format("{:+.4g}", change(order[i]))});
  return {
      "steps",
      fmt::format("Each point is a step. {} of {} lowered the loss on these rows. The table has those that moved it "
                  "most.",
                  order.size() - risen, counted(order.size(), "step")),
      std::move(plot), std::move(table)};
}

Figure importance_figure(const Importances& importances) {
  const bool percent = importances.metric == "accuracy";
  const double scale = percent ? 100.0 : 1.0;
  const std::string unit =
      percent ? "accuracy lost, points" : fmt::format("{} added", metric_title(importances.metric));
  Plot plot{.title = "Which columns matter", .x = {.label = unit}, .y = {.label = ""}};
  Series bars{.mark = Mark::bars, .colour = 2};
  Table table{{"column", unit, "\u00b1 over repeats"}, {}};
  for (const ColumnImportance& column : importances.columns) {
    const double mean = scale * column.mean, sd = scale * column.sd;
    table.rows.push_back({column.column, fmt::format("{:.4g}", mean), fmt::format("{:.2g}", sd)});
    if (bars.x.size() == most_columns) continue;
    bars.y.push_back(static_cast<double>(bars.x.size()));
    bars.x.push_back(mean);
    bars.low.push_back(mean - sd);
    bars.high.push_back(mean + sd);
    plot.y.categories.push_back(column.column);
  }
  plot.series = {std::move(bars)};
  std::string caption = fmt::format(
      "How much worse the whole network's {} gets when a column is shuffled: mean and standard deviation of {}, on {}.",
      metric_title(importances.metric), counted(importances.repeats, "shuffle"), counted(importances.rows, "row"));
  if (importances.columns.size() > most_columns)
    caption += fmt::format(" The first {} of {} columns; the table has all.", most_columns, importances.columns.size());
  return {"importance", std::move(caption), std::move(plot), std::move(table)};
}

}  // namespace accrete::report
