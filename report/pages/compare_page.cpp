#include "report/pages/compare_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/charts/text.hpp"

namespace accrete::report {
namespace {

/// Horizontal bars, one per method, with error bars.
struct BarChart {
  Plot plot;
  Table table;

  void add(const std::string& name, double value, double error) {
    Series& bars = plot.series.front();
    bars.y.push_back(static_cast<double>(bars.x.size()));
    bars.x.push_back(value);
    if (error >= 0.0) bars.low.push_back(value - error), bars.high.push_back(value + error);
    plot.y.categories.push_back(name);
    table.rows.push_back({name, show_number(value)});
    if (error >= 0.0) table.rows.back().push_back(fmt::format("{:.2g}", error));
  }
};

/// Accuracy is shown as the error rate, so that bars start at 0.
Figure score_figure(const tune::CompareResult& result, const ComparePage& about) {
  const bool percent = result.metric == "accuracy";
  const std::string label = percent ? "error rate, percent" : metric_title(result.metric);
  BarChart bars{{.title = percent ? "Error rate" : metric_title(result.metric),
                 .x = {.label = label},
                 .y = {.label = ""},
                 .series = {Series{.mark = Mark::bars, .colour = 0}}},
                {{"method", label, "standard error"}, {}}};
  for (const tune::Compared& compared : result.ranked) {
    const tune::Summary score = tune::summarise(compared.scores);
    if (!std::isfinite(score.mean)) continue;
    bars.add(about.names[compared.method], percent ? 100.0 * (1.0 - score.mean) : score.mean,
             percent ? 100.0 * score.se : score.se);
  }
  return {"score", "Mean and standard error over the folds.", std::move(bars.plot), std::move(bars.table)};
}

Figure folds_figure(const tune::CompareResult& result, const ComparePage& about) {
  const bool percent = result.metric == "accuracy";
  Plot plot{.title = "Scores per fold",
            .x = {.label = "fold"},
            .y = {.label = metric_title(result.metric) + (percent ? ", percent" : "")}};
  Table table{{"fold"}, {}};
  for (std::size_t f = 0; f < result.ranked.front().scores.size(); ++f) table.rows.push_back({std::to_string(f + 1)});
  for (std::size_t m = 0; m < result.ranked.size(); ++m) {
    const tune::Compared& compared = result.ranked[m];
    Series series{.name = about.names[compared.method], .colour = m % colours.size()};
    table.header.push_back(series.name);
    for (std::size_t f = 0; f < compared.scores.size(); ++f) {
      series.x.push_back(static_cast<double>(f + 1));
      series.y.push_back(percent ? 100.0 * compared.scores[f] : compared.scores[f]);
      table.rows[f].push_back(show_number(series.y.back()));
    }
    plot.series.push_back(std::move(series));
  }
  return {"folds", "All methods use the same folds.", std::move(plot), std::move(table)};
}

Figure time_figure(const tune::CompareResult& result, const ComparePage& about) {
  BarChart bars{{.title = "Time per fit",
                 .x = {.label = "seconds on one thread"},
                 .y = {.label = ""},
                 .series = {Series{.mark = Mark::bars, .colour = 1}}},
                {{"method", "seconds"}, {}}};
  for (const tune::Compared& compared : result.ranked) bars.add(about.names[compared.method], compared.seconds, -1.0);
  return {"seconds", "Mean over the folds; fits ran in parallel, one per thread.", std::move(bars.plot),
          std::move(bars.table)};
}

}  // namespace

Page compare_page(const tune::CompareResult& result, const ComparePage& about, std::optional<Gnuplot> gnuplot) {
  Page page(about.title, std::move(gnuplot));
  Table facts, notes;
  for (const auto& [name, value] : about.facts) facts.rows.push_back({name, value});
  for (const auto& [name, value] : about.notes) notes.rows.push_back({name, value});
  page.table(facts, "facts");
  page.heading("Methods");
  page.table(about.table, "methods");
  page.figure(score_figure(result, about));
  page.figure(time_figure(result, about));
  page.figure(folds_figure(result, about));
  page.heading("How to read this page");
  page.table(notes, "notes");
  return page;
}

}  // namespace accrete::report
