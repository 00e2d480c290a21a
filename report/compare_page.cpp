#include "report/compare_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/text.hpp"

namespace accrete::report {
namespace {

/// Bars over methods, best first, with the spread of each.
struct Bars {
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

/// Accuracy is shown as what is missing from it, so that bars may begin at 0.
Figure score_figure(const tune::CompareResult& result, const ComparePage& about) {
  const bool percent = result.metric == "accuracy";
  const std::string label = percent ? "rows in a hundred that are wrong" : metric_title(result.metric);
  Bars bars{{.title = percent ? "How often each is wrong" : metric_title(result.metric) + " of each",
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
  Plot plot{.title = "Fold by fold",
            .x = {.label = "fold"},
            .y = {.label = metric_title(result.metric) + (percent ? ", per cent" : "")}};
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
  return {"folds", "The same rows for every method: what is hard about a fold is hard for all.", std::move(plot),
          std::move(table)};
}

Figure time_figure(const tune::CompareResult& result, const ComparePage& about) {
  Bars bars{{.title = "What a fit took",
             .x = {.label = "seconds, on one thread"},
             .y = {.label = ""},
             .series = {Series{.mark = Mark::bars, .colour = 1}}},
            {{"method", "seconds"}, {}}};
  for (const tune::Compared& compared : result.ranked) bars.add(about.names[compared.method], compared.seconds, -1.0);
  return {"seconds", "Mean over the folds; fits ran side by side, one to a thread.", std::move(bars.plot),
          std::move(bars.table)};
}

}  // namespace

Page compare_page(const tune::CompareResult& result, const ComparePage& about, std::optional<Gnuplot> gnuplot) {
  Page page(about.title, std::move(gnuplot));
  Table facts, notes;
  for (const auto& [name, value] : about.facts) facts.rows.push_back({name, value});
  for (const auto& [name, value] : about.notes) notes.rows.push_back({name, value});
  page.table(facts, "facts");
  page.heading("The methods");
  page.table(about.table, "methods");
  page.figure(score_figure(result, about));
  page.figure(time_figure(result, about));
  page.figure(folds_figure(result, about));
  page.heading("How to read it");
  page.table(notes, "notes");
  return page;
}

}  // namespace accrete::report
