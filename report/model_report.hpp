#pragma once
// The page of one model on rows whose target is known: its numbers at any number of units, with a slider, what each
// step brought, and which columns matter.
//
// Life: read model and table -> Labelled -> measure() and importances() -> model_page() -> Page::html().

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/importance.hpp"
#include "report/measure.hpp"
#include "report/page.hpp"

namespace accrete::report {

struct ModelReport {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  ///< name and value, for the head of the page
  Measures measures;
  Importances importances;
};

/// Its JSON with the id "model" is what model.js moves the figures by: {"metrics": [names], "main": place, "prefixes":
/// [{"steps", "units", "metrics", "confusion", "calibration": [[predicted, observed, rows]], "predicted"}]}.
Page model_page(const Labelled& data, const ModelReport& report, std::optional<Gnuplot> gnuplot);

/// The figures, one function each; the tables are the same in numbers.
Figure curve_figure(const Measures& measures);
Figure confusion_figure(const Measures& measures);
Figure calibration_figure(const model::Model& model, const Measures& measures);
Figure predicted_figure(const model::Model& model, const Measures& measures, std::size_t target);
Figure loss_figure(const model::Model& model, const Measures& measures);
Figure steps_figure(const model::Model& model, const Measures& measures);
Figure importance_figure(const Importances& importances);

}  // namespace accrete::report
