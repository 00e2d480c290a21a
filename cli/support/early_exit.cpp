#include "cli/support/early_exit.hpp"

#include <fmt/format.h>

#include "accrete/core/counted.hpp"

namespace accrete::cli {

std::string show_guarantee(const model::Model& model) {
  return fmt::format("another {} in at most {:.6g} % of the rows, with {:.6g} % confidence",
                     model.classes.empty() ? "prediction" : "label", 100.0 * model.early_exit.disagreement,
                     100.0 * model.early_exit.confidence);
}

std::string show_early_exit(const model::Model& model) {
  return fmt::format("{}; a row uses {:.1f} of {} on average", show_guarantee(model), model.early_exit.mean_units,
                     core::counted(model.network.units(), "unit"));
}

Json early_exit_json(const model::Model& model) {
  const model::EarlyExit& early_exit = model.early_exit;
  if (!(early_exit.disagreement > 0.0)) return {};
  Json exits = Json::array();
  for (const model::Exit& exit : early_exit.exits)
    exits.push_back({{"units", model.network.units_after(exit.steps)}, {"threshold", exit.threshold}});
  Json result{
      {"disagreement", early_exit.disagreement}, {"confidence", early_exit.confidence}, {"rows", early_exit.rows},
      {"differed", early_exit.differed},         {"mean_units", early_exit.mean_units}, {"exits", exits}};
  if (!early_exit.tolerances.empty()) result["tolerances"] = early_exit.tolerances;
  return result;
}

}  // namespace accrete::cli
