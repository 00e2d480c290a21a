#pragma once
// The page about one model on labelled rows: metrics at any number of units, with a slider, the loss change per step,
// importance and contributions of the columns, and the functions that an additive model sums.
//
//   LabelledRows -> measure(), importances() and column_contributions() -> model_page() -> Page::html()

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/model/contributions.hpp"
#include "report/model/early_exit.hpp"
#include "report/model/importance.hpp"
#include "report/model/measure.hpp"
#include "report/model/shapes.hpp"
#include "report/pages/page.hpp"

namespace accrete::report {

struct ModelReport {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  ///< name and value, at the top of the page
  Measures measures;
  Importances importances;
  ColumnContributions contributions;
  std::vector<ColumnShape> shapes = {};  ///< of an additive model
  std::vector<ExitTradeOff> exits = {};  ///< of a model with early exit
};

/// The page holds JSON with the id "model" for model.js: {"metrics": [names], "main": index, "prefixes": [{"steps",
/// "units", "metrics", "confusion", "calibration": [[predicted, observed, rows]], "predicted"}]}.
Page model_page(const LabelledRows& data, const ModelReport& report, std::optional<Gnuplot> gnuplot);

/// The figures.
Figure curve_figure(const Measures& measures);
Figure confusion_figure(const Measures& measures);
Figure calibration_figure(const model::Model& model, const Measures& measures);
Figure predicted_figure(const model::Model& model, const Measures& measures, std::size_t target);
Figure interval_figure(const model::Model& model, const Measures& measures);
Figure exit_figure(const model::Model& model, const std::vector<ExitTradeOff>& exits);
Figure loss_figure(const model::Model& model, const Measures& measures);
Figure steps_figure(const model::Model& model, const Measures& measures);
Figure importance_figure(const Importances& importances);
Figure contributions_figure(const ColumnContributions& contributions);
Figure swarm_figure(const ColumnContributions& contributions);
Figure waterfall_figure(const ColumnContributions& contributions);
/// A line over numbers, or a bar per level. number: of the figure's id.
Figure shape_figure(const model::Model& model, const ColumnShape& shape, std::size_t number);

}  // namespace accrete::report
