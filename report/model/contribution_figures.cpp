// The figures about contributions: their mean magnitudes, a sample of rows, and a single row.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/charts/text.hpp"
#include "report/model/model_report.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t max_bars = 30, max_swarms = 12, max_parts = 12;

/// Offsets from the middle of the category that keep points at nearly the same position from overlapping.
std::vector<double> swarm(const std::vector<double>& x, double cell) {
  std::vector<std::pair<long, std::size_t>> cells;
  for (std::size_t i = 0; i < x.size(); ++i) cells.emplace_back(std::lround(x[i] / cell), i);
  std::ranges::sort(cells);
  std::vector<double> offsets(x.size());
  double widest = 1.0;
  for (std::size_t i = 0, first = 0; i < cells.size(); ++i) {
    if (cells[i].first != cells[first].first) first = i;
    const std::size_t place = i - first, from_centre = (place + 1) / 2;
    const auto distance = static_cast<double>(from_centre);
    offsets[cells[i].second] = place % 2 == 0 ? -distance : distance;
    widest = std::max(widest, distance);
  }
  for (double& offset : offsets) offset *= std::min(0.06, 0.42 / widest);
  return offsets;
}

/// 0, 1, 2: a value in the lower, middle or upper third; 3: text or missing.
std::size_t third(double place) {
  return std::isnan(place) ? 3 : place < 1.0 / 3.0 ? 0 : place < 2.0 / 3.0 ? 1 : 2;
}

/// The contributions of the row, largest first; small ones are summed.
std::vector<std::pair<std::string, double>> parts_of(const ColumnContributions& c) {
  std::vector<std::pair<std::string, double>> parts;
  for (std::size_t i = 0; i < c.columns.size(); ++i)
    parts.emplace_back(c.columns[i].name + c.example.values[i], c.example.contributions[i]);
  std::ranges::stable_sort(parts, std::ranges::greater{}, [](const auto& part) { return std::abs(part.second); });
  if (parts.size() <= max_parts) return parts;
  double rest = 0.0;
  for (std::size_t i = max_parts - 1; i < parts.size(); ++i) rest += parts[i].second;
  const std::size_t others = parts.size() - max_parts + 1;
  parts.resize(max_parts - 1);
  parts.emplace_back(fmt::format("{} other columns", others), rest);
  return parts;
}

}  // namespace

Figure contributions_figure(const ColumnContributions& c) {
  const std::string label =
      c.scores == 1 ? "mean absolute contribution to " + c.score : "mean absolute contribution, all scores";
  Plot plot{.title = "Size of the contributions", .x = {.label = label}, .y = {.label = ""}};
  Series bars{.mark = Mark::bars, .colour = 2};
  Table table{{"column", label}, {}};
  for (const ExplainedColumn& column : c.columns) {
    table.rows.push_back({column.name, show_number(column.mean_size)});
    if (bars.x.size() == max_bars) continue;
    bars.y.push_back(static_cast<double>(bars.x.size()));
    bars.x.push_back(column.mean_size);
    plot.y.categories.push_back(column.name);
  }
  plot.series = {std::move(bars)};
  std::string caption =
      fmt::format("How much a column moves the score of a row away from the baseline, on {}.", counted(c.rows, "row"));
  if (c.columns.size() > max_bars)
    caption += fmt::format(" The first {} of {} columns; the table lists all.", max_bars, c.columns.size());
  return {"contributions", std::move(caption), std::move(plot), std::move(table)};
}

Figure swarm_figure(const ColumnContributions& c) {
  const std::size_t count = std::min(c.columns.size(), max_swarms);
  Plot plot{.title = "Contributions of the rows",
            .x = {.label = "contribution to " + c.score},
            .y = {.label = "", .category_height = 36}};
  constexpr std::array names{"low value of the column", "middle", "high", "text, date or missing"};
  constexpr std::array<std::size_t, 4> looks{0, 4, 1, 6};
  plot.series.resize(names.size());
  for (std::size_t s = 0; s < names.size(); ++s)
    plot.series[s] = {.name = names[s], .mark = Mark::points, .colour = looks[s]};
  double low = 0.0, high = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    for (const double x : c.columns[i].contributions) low = std::min(low, x), high = std::max(high, x);
  Table table{{"column", "lowest", "mean", "highest"}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const ExplainedColumn& column = c.columns[i];
    const std::vector<double> offsets = swarm(column.contributions, std::max((high - low) / 120.0, 1e-300));
    double sum = 0.0;
    for (std::size_t r = 0; r < offsets.size(); ++r) {
      Series& series = plot.series[third(column.places[r])];
      series.x.push_back(column.contributions[r]);
      series.y.push_back(static_cast<double>(i) + offsets[r]);
      sum += column.contributions[r];
    }
    plot.y.categories.push_back(column.name);
    const auto [least, most] = std::ranges::minmax(column.contributions);
    table.rows.push_back(
        {column.name, show_number(least), show_number(sum / static_cast<double>(offsets.size())), show_number(most)});
  }
  std::erase_if(plot.series, [](const Series& series) { return series.x.empty(); });
  std::string caption = fmt::format(
      "Each point is one of {}. Low, middle and high are thirds of the column\u2019s values.", counted(c.shown, "row"));
  if (count < c.columns.size()) caption += fmt::format(" The first {} of {} columns.", count, c.columns.size());
  return {"swarm", std::move(caption), std::move(plot), std::move(table)};
}

Figure waterfall_figure(const ColumnContributions& c) {
  Plot plot{
      .title = fmt::format("Contributions of row {}", c.example.number), .x = {.label = c.score}, .y = {.label = ""}};
  Series ends{.mark = Mark::points, .x = {c.baseline}, .y = {0.0}, .colour = 6};
  std::array<Series, 2> bars{Series{.name = "raises the score", .mark = Mark::bars, .colour = 1},
                             Series{.name = "lowers the score", .mark = Mark::bars, .colour = 0}};
  plot.y.categories = {"baseline"};
  Table table{{"column", "contribution", "score"}, {{"baseline", "", show_number(c.baseline)}}};
  double score = c.baseline;
  for (const auto& [name, contribution] : parts_of(c)) {
    Series& series = bars[contribution < 0.0 ? 1 : 0];
    series.from.push_back(score);
    score += contribution;
    series.x.push_back(score);
    series.y.push_back(static_cast<double>(plot.y.categories.size()));
    plot.y.categories.push_back(name);
    table.rows.push_back({name, fmt::format("{:+.4g}", contribution), show_number(score)});
  }
  ends.x.push_back(c.example.score);
  ends.y.push_back(static_cast<double>(plot.y.categories.size()));
  plot.y.categories.push_back("this row");
  for (Series& series : bars)
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  plot.series.push_back(std::move(ends));
  return {"waterfall",
          fmt::format("From the average training row to row {}, the sampled row whose score is farthest from it.",
                      c.example.number),
          std::move(plot), std::move(table)};
}

}  // namespace accrete::report
