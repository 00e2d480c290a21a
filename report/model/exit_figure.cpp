// The figure of a model's early exit: what stricter and looser thresholds cost and save.

#include <fmt/format.h>

#include "report/charts/text.hpp"
#include "report/model/model_report.hpp"

namespace accrete::report {

Figure exit_figure(const model::Model& model, const std::vector<ExitTradeOff>& exits) {
  Plot plot{.title = "Early exit: disagreement over units used",
            .x = {.label = "mean units used"},
            .y = {.label = "share of rows with another prediction", .low = 0.0}};
  Series all{.name = "other thresholds"}, stored{.name = "the model's", .mark = Mark::points, .colour = 1};
  Series guaranteed{.name = "guaranteed", .colour = 2, .faint = true};
  Table table{{"thresholds", "units", "share of units", "time", "disagreement"}, {}};
  const auto total = static_cast<double>(model.network.units());
  for (const ExitTradeOff& at : exits) {
    all.x.push_back(at.mean_units);
    all.y.push_back(at.disagreement);
    guaranteed.x.push_back(at.mean_units);
    guaranteed.y.push_back(model.early_exit.disagreement);
    if (at.factor == 1.0) stored.x = {at.mean_units}, stored.y = {at.disagreement};
    const std::string name = at.factor == 0.0   ? "none: all units"
                             : at.factor == 1.0 ? "the model's"
                                                : fmt::format("{:g} times as strict", at.factor);
    table.rows.push_back(
        {name, fmt::format("{:.1f}", at.mean_units), fmt::format("{:.1f} %", 100.0 * at.mean_units / total),
         fmt::format("{:.1f} ms", 1e3 * at.seconds), fmt::format("{:.3f} %", 100.0 * at.disagreement)});
  }
  plot.series = {std::move(all), std::move(stored), std::move(guaranteed)};
  const std::string caption = fmt::format(
      "Rows stop once their prediction is settled. The model guarantees, with {1:g} % confidence, that at most "
      "{0:g} % of the rows get another prediction than from all units; the points are what these rows show.",
      100.0 * model.early_exit.disagreement, 100.0 * model.early_exit.confidence);
  return {"early-exit", caption, std::move(plot), std::move(table)};
}

}  // namespace accrete::report
