// Section: accuracy and RMSE over units.

#include <fmt/format.h>

#include <algorithm>

#include "report/charts/text.hpp"
#include "report/experiment/figures.hpp"
#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

std::string show_settings(const tune::Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text;
}

/// Extends a method with a single number of units to a horizontal line.
UnitsCurve extend(const UnitsCurve& curve, double first, double last) {
  if (curve.units.size() > 1) return curve;
  return {{first, last}, {curve.mean[0], curve.mean[0]}, {curve.se[0], curve.se[0]}};
}

Figure curve_figure(const std::vector<const CurveResult*>& methods, const std::string& profile) {
  const CurveResult& any = *methods.front();
  const bool percent = any.metric == "accuracy";
  const std::string title = task_title(any.task), what = metric_title(any.metric) + (percent ? ", percent" : "");
  Plot plot{
      .title = fmt::format("{}: {}", title, metric_title(any.metric)), .x = {.label = "units"}, .y = {.label = what}};
  double first = 1.0, last = 1.0;
  for (const CurveResult* result : methods)
    if (result->curve.units.size() > 1)
      first = result->curve.units.front(), last = std::max(last, result->curve.units.back());
  std::string caption = fmt::format("Mean over {}; the band is one standard error.", counted(any.folds, "fold"));
  std::vector<NamedCurve> numbers;
  for (const CurveResult* result : methods) {
    const bool level = result->curve.units.size() == 1;
    const std::string name = method_title(result->method);
    plot.series.push_back(curve_series(name, extend(result->curve, first, last), percent ? 100.0 : 1.0));
    plot.series.back().colour = method_index(result->method);
    plot.series.back().faint = level;
    numbers.push_back({name, &result->curve});
    if (level) caption += fmt::format(" {} has {} units.", name, result->curve.units[0]);
    if (result->method == "gbnn" && !result->settings.empty())
      caption += fmt::format(" {}: {}.", name, show_settings(result->settings));
  }
  return {figure_id("curve", profile, any.task), std::move(caption), std::move(plot),
          curve_table(numbers, percent ? 100.0 : 1.0)};
}

}  // namespace

void add_curves(Document& document, const ProfileResults& results) {
  if (results.curves.empty()) return;
  document.add(Heading{fmt::format("Scores over units, profile {}", results.table.profile->name)});
  document.add(
      Paragraph{"One boosted network is scored at every number of units; the other networks are trained for each "
                "number."});
  for (const auto& methods : by_task(results.curves))
    document.add(curve_figure(methods, std::string(results.table.profile->name)));
}

}  // namespace accrete::report
