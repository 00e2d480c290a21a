// Section: decision boundaries of networks of several sizes.

#include <fmt/format.h>

#include "report/charts/text.hpp"
#include "report/experiment/figures.hpp"
#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

Figure panel_figure(const BoundaryResult& result, const BoundaryPanel& panel, const std::string& profile) {
  Field field{.title = fmt::format("{}, {}", method_title(result.method), counted(panel.units, "unit")),
              .x_label = "x\u2081",
              .y_label = "x\u2082",
              .limit = result.limit,
              .side = result.side,
              .values = panel.probability,
              .classes = {{{"first class"}, {"second class"}}}};
  for (std::size_t i = 0; i < result.x.size(); ++i) {
    ClassPoints& marked = field.classes[static_cast<std::size_t>(result.classes[i])];
    marked.x.push_back(result.x[i]);
    marked.y.push_back(result.y[i]);
  }
  return {figure_id("boundary", profile, fmt::format("{}-{}", result.method, panel.units)),
          fmt::format("accuracy {:.2f} %", 100.0 * panel.accuracy), std::move(field)};
}

/// The accuracies of all panels.
RichTable accuracy_table(const std::vector<const BoundaryResult*>& methods, const std::string& profile) {
  RichTable scores{fmt::format("{}-{}", methods.front()->task, profile), {"accuracy on test rows, percent"}, {}, ""};
  for (const BoundaryPanel& panel : methods.front()->panels) scores.header.push_back(counted(panel.units, "unit"));
  for (const BoundaryResult* result : methods) {
    auto& row = scores.rows.emplace_back();
    row.push_back({method_title(result->method)});
    for (const BoundaryPanel& panel : result->panels) row.push_back({fmt::format("{:.2f}", 100.0 * panel.accuracy)});
  }
  return scores;
}

}  // namespace

void add_boundaries(Document& document, const ProfileResults& results) {
  if (results.boundaries.empty()) return;
  const std::string profile{results.table.profile->name};
  document.add(Heading{fmt::format("Decision boundaries, profile {}", profile)});
  document.add(Paragraph{
      "The probability of the second class from 0 (dark) to 1 (bright), the decision boundary, and some rows of both "
      "classes. All panels of the boosted network are prefixes of one network; the other networks are trained for each "
      "number of units."});
  for (const auto& methods : by_task(results.boundaries)) {
    for (const BoundaryResult* result : methods)
      for (const BoundaryPanel& panel : result->panels) document.add(panel_figure(*result, panel, profile));
    document.add(accuracy_table(methods, profile));
  }
}

}  // namespace accrete::report
