// The figure of a calibrated model's intervals or sets, over the number of units.

#include <fmt/format.h>

#include <algorithm>

#include "report/charts/text.hpp"
#include "report/model/model_report.hpp"

namespace accrete::report {

Figure interval_figure(const model::Model& model, const Measures& m) {
  const bool sets = !model.classes.empty();
  const std::string size = interval_size_name(model);
  const auto at = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(m.metrics, name) - m.metrics.begin());
  };
  Plot plot{.title = fmt::format("Coverage of the {} over units", sets ? "sets" : "intervals"),
            .x = {.label = "units used"},
            .y = {.label = "coverage"}};
  Series line{.name = "on these rows"}, guaranteed{.name = "guaranteed", .colour = 1};
  Table table{{"units", "coverage", metric_title(size)}, {}};
  for (const PrefixMeasures& prefix : m.prefixes) {
    const double coverage = prefix.metrics[at("coverage")];
    line.x.push_back(static_cast<double>(prefix.units));
    line.y.push_back(coverage);
    guaranteed.x.push_back(line.x.back());
    guaranteed.y.push_back(model.calibration.coverage);
    table.rows.push_back({std::to_string(prefix.units), show_number(coverage), show_number(prefix.metrics[at(size)])});
  }
  plot.series = {std::move(line), std::move(guaranteed)};
  const char* caption =
      sets ? "The share of rows whose set contains the true class; the table has the mean size of sets."
           : "The share of rows whose interval contains the target; the table has the mean width.";
  return {"interval", caption, std::move(plot), std::move(table)};
}

}  // namespace accrete::report
