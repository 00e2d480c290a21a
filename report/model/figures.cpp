// The figures of a model's page that follow the slider: curve, confusion matrix, calibration, predicted versus true.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/charts/text.hpp"
#include "report/model/model_report.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t max_table_points = 20;

/// Accuracy is shown in percent.
double scaled(const std::string& metric, double value) {
  return metric == "accuracy" ? 100.0 * value : value;
}

std::string axis_title(const std::string& metric) {
  return metric == "accuracy" ? "accuracy, %" : metric_title(metric);
}

struct Range {
  double low = INFINITY, high = -INFINITY;

  void take(const std::vector<double>& values) {
    for (const double value : values) low = std::min(low, value), high = std::max(high, value);
  }
};

/// One range for both axes and all prefixes, so that the axes stay fixed as the slider moves.
Range range_of_all(const Measures& m, std::size_t target) {
  Range range;
  range.take(m.truth[target]);
  for (const PrefixMeasures& prefix : m.prefixes) range.take(prefix.predicted[target]);
  const double margin = range.high > range.low ? 0.03 * (range.high - range.low) : 0.5;
  return {round_digits(range.low - margin), round_digits(range.high + margin)};
}

Series diagonal(const std::string& name, double low, double high) {
  return {.name = name, .x = {low, high}, .y = {low, high}, .colour = 6, .faint = true};
}

}  // namespace

Figure curve_figure(const Measures& m) {
  const std::string& metric = m.metrics[m.main_metric];
  Plot plot{.title = fmt::format("{} over units", metric_title(metric)),
            .x = {.label = "units used"},
            .y = {.label = axis_title(metric)}};
  Series line{.name = "on these rows"};
  Table table{{"units", "steps"}, {}};
  for (const auto& name : m.metrics) table.header.push_back(metric_title(name));
  for (const PrefixMeasures& prefix : m.prefixes) {
    line.x.push_back(static_cast<double>(prefix.units));
    line.y.push_back(scaled(metric, prefix.metrics[m.main_metric]));
    table.rows.push_back({std::to_string(prefix.units), std::to_string(prefix.steps)});
    for (std::size_t i = 0; i < m.metrics.size(); ++i)
      table.rows.back().push_back(show_metric(m.metrics[i], prefix.metrics[i]));
  }
  Series here{.name = "as shown", .mark = Mark::points, .x = {line.x.back()}, .y = {line.y.back()}, .colour = 1};
  plot.series = {std::move(line), std::move(here)};
  return {"curve", "The metric of each prefix of the network.", std::move(plot), std::move(table)};
}

Figure confusion_figure(const Measures& m) {
  const auto& counts = m.full_network().confusion;
  HeatMap map{"Confusion matrix", "true", "predicted", m.classes.names, m.classes.names, counts};
  Table table{{"true \\ predicted"}, {}};
  table.header.insert(table.header.end(), m.classes.names.begin(), m.classes.names.end());
  for (std::size_t r = 0; r < counts.size(); ++r) {
    table.rows.push_back({m.classes.names[r]});
    for (const double count : counts[r]) table.rows.back().push_back(fmt::format("{:.6g}", count));
  }
  std::string caption = "Rows by true and predicted class; a cell is shaded by its share of the row.";
  if (m.classes.merged > 0)
    caption += fmt::format(" The {} most frequent classes are shown; the other {} are merged.",
                           m.classes.names.size() - 1, m.classes.merged);
  return {"confusion", std::move(caption), std::move(map), std::move(table)};
}

Figure calibration_figure(const model::Model& model, const Measures& m) {
  const bool two = model.task == data::Task::binary;
  const std::string what = two ? fmt::format("probability of \u201c{}\u201d", shorten(model.classes[1], 24))
                               : "probability of the predicted class";
  Plot plot{.title = "Calibration",
            .x = {.label = what, .low = 0.0, .high = 1.0},
            .y = {.label = "share of rows", .low = 0.0, .high = 1.0}};
  double rows = 0.0;
  for (const CalibrationBin& bin : m.full_network().calibration) rows += bin.rows;
  Series observed{.name = two ? "observed share" : "share of correct rows", .mark = Mark::points, .colour = 1};
  Series share{.name = "share of rows in the bin", .mark = Mark::bars, .colour = 0, .width = 0.1, .faint = true};
  Table table{{"probability", "mean", two ? "observed" : "correct", "rows"}, {}};
  for (std::size_t i = 0; i < m.full_network().calibration.size(); ++i) {
    const CalibrationBin& bin = m.full_network().calibration[i];
    const double low = 0.1 * static_cast<double>(i);
    share.x.push_back(low + 0.05);
    share.y.push_back(rows > 0.0 ? bin.rows / rows : 0.0);
    if (bin.rows > 0.0) observed.x.push_back(bin.predicted), observed.y.push_back(bin.observed);
    table.rows.push_back({fmt::format("{:.1f} to {:.1f}", low, low + 0.1),
                          bin.rows > 0.0 ? show_number(bin.predicted) : "\u2013",
                          bin.rows > 0.0 ? show_number(bin.observed) : "\u2013", fmt::format("{:.6g}", bin.rows)});
  }
  plot.series = {std::move(share), diagonal("ideal", 0.0, 1.0), std::move(observed)};
  return {"calibration",
          "Of the rows with predicted probability near p, a share p should belong to the class. Bars show the "
          "distribution of the rows.",
          std::move(plot), std::move(table)};
}

Figure predicted_figure(const model::Model& model, const Measures& m, std::size_t target) {
  const std::string& name = model.targets[target];
  const auto &truth = m.truth[target], &predicted = m.full_network().predicted[target];
  const auto [low, high] = range_of_all(m, target);
  Plot plot{.title = fmt::format("Predicted versus true: {}", name),
            .x = {.label = "true", .low = low, .high = high},
            .y = {.label = "predicted", .low = low, .high = high},
            .square = true};
  plot.series = {{.name = counted(truth.size(), "row"), .mark = Mark::points, .x = truth, .y = predicted},
                 diagonal("exact", low, high)};
  Table table{{"true", "predicted"}, {}};
  for (std::size_t i = 0; i < std::min(max_table_points, truth.size()); ++i)
    table.rows.push_back({show_number(truth[i]), show_number(predicted[i])});
  return {fmt::format("predicted-{}", target),
          truth.size() > max_table_points ? fmt::format("The table lists the first {} points.", max_table_points) : "",
          std::move(plot), std::move(table)};
}

}  // namespace accrete::report
