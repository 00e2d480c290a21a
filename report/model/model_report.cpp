#include "report/model/model_report.hpp"

#include <fmt/format.h>

#include "report/assets/assets.hpp"
#include "report/charts/text.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t max_targets = 6;
constexpr std::size_t max_shapes = 30;

Json prefix_json(const PrefixMeasures& prefix) {
  Json json{{"steps", prefix.steps}, {"units", prefix.units}, {"metrics", prefix.metrics}};
  if (!prefix.confusion.empty()) {
    json["confusion"] = prefix.confusion;
    json["calibration"] = Json::array();
    for (const CalibrationBin& bin : prefix.calibration)
      json["calibration"].push_back(round_digits({bin.predicted, bin.observed, bin.rows}));
  }
  for (std::size_t t = 0; t < std::min(prefix.predicted.size(), max_targets); ++t)
    json["predicted"].push_back(round_digits(prefix.predicted[t], 4));
  return json;
}

Json model_json(const Measures& measures) {
  Json json{{"metrics", measures.metrics}, {"main", measures.main_metric}, {"prefixes", Json::array()}};
  for (const PrefixMeasures& prefix : measures.prefixes) json["prefixes"].push_back(prefix_json(prefix));
  return json;
}

/// Hidden until model.js runs.
std::string dial(const Measures& measures) {
  const std::size_t last = measures.prefixes.size() - 1;
  return fmt::format(
      "<div class=\"dial\" id=\"dial\" hidden><label for=\"units\">Units used</label>\n"
      "<input type=\"range\" id=\"units\" min=\"0\" max=\"{}\" value=\"{}\">\n<output for=\"units\"></output></div>\n",
      last, last);
}

Table metric_table(const Measures& measures) {
  Table table{{"metric", fmt::format("full network, {}", counted(measures.full_network().units, "unit"))}, {}};
  for (std::size_t i = 0; i < measures.metrics.size(); ++i)
    table.rows.push_back(
        {metric_title(measures.metrics[i]), show_metric(measures.metrics[i], measures.full_network().metrics[i])});
  return table;
}

void add_predictions(Page& page, const LabelledRows& data, const Measures& measures) {
  if (data.model.task != data::Task::regression) {
    page.figure(confusion_figure(measures));
    page.figure(calibration_figure(data.model, measures));
    return;
  }
  const std::size_t shown = std::min(data.model.targets.size(), max_targets);
  for (std::size_t t = 0; t < shown; ++t) page.figure(predicted_figure(data.model, measures, t));
  if (measures.sampled_rows() < data.table.rows())
    page.paragraph(
        fmt::format("A random sample of {} of {} rows is shown.", measures.sampled_rows(), data.table.rows()));
  if (shown < data.model.targets.size())
    page.paragraph(fmt::format("The first {} of {} targets are shown.", shown, data.model.targets.size()));
}

void add_shapes(Page& page, const model::Model& model, const std::vector<ColumnShape>& shapes) {
  if (shapes.empty()) return;
  const std::size_t shown = std::min(shapes.size(), max_shapes);
  page.heading("Functions of the columns");
  page.paragraph(
      "This model is additive: its score is the sum of these functions of one column and a constant. Each has mean 0 "
      "over these rows.");
  for (std::size_t i = 0; i < shown; ++i) page.figure(shape_figure(model, shapes[i], i));
  if (shown < shapes.size())
    page.paragraph(fmt::format("The {} of {} columns whose effects vary most are shown.", shown, shapes.size()));
}

}  // namespace

Page model_page(const LabelledRows& data, const ModelReport& report, std::optional<Gnuplot> gnuplot) {
  const Measures& measures = report.measures;
  Page page(report.title, std::move(gnuplot));
  Table facts{{"", ""}, {}};
  for (const auto& [name, value] : report.facts) facts.rows.push_back({name, value});
  page.table(facts, "facts");

  page.markup(dial(measures));
  page.heading("Metrics");
  page.table(metric_table(measures), "metrics");
  if (measures.prefixes.size() > 1) page.figure(curve_figure(measures));
  const bool has_loss_curve = data.model.network.steps() > 0 && !measures.loss.empty();
  if (has_loss_curve) page.figure(loss_figure(data.model, measures));
  page.heading("Predictions");
  add_predictions(page, data, measures);
  if (data.model.calibration.coverage > 0.0) page.figure(interval_figure(data.model, measures));
  if (!report.exits.empty()) page.figure(exit_figure(data.model, report.exits));
  page.heading("Steps and columns");
  if (has_loss_curve) page.figure(steps_figure(data.model, measures));
  page.figure(importance_figure(report.importances));
  page.heading("Contributions");
  page.figure(contributions_figure(report.contributions));
  page.figure(waterfall_figure(report.contributions));
  page.figure(swarm_figure(report.contributions));
  add_shapes(page, data.model, report.shapes);

  page.data("model", model_json(measures));
  page.script(assets::model_js);
  return page;
}

}  // namespace accrete::report
