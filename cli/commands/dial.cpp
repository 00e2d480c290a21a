// accrete dial: finds the thresholds of early exit on held-out rows and stores them in the model.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "accrete/boosting/dial.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/plain.hpp"
#include "cli/commands.hpp"
#include "cli/support/early_exit.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/read_files.hpp"

namespace accrete::cli {
namespace {

struct DialFlags {
  std::string model, output;
  ReadFlags read;
  boosting::DialOptions options;
  std::optional<double> tolerance;
};

std::string show_exits(const model::Model& model) {
  const bool classes = !model.classes.empty();
  std::vector<std::vector<std::string>> rows{{"units", classes ? "stops at a margin of" : "stops below a movement of"}};
  for (const model::Exit& exit : model.early_exit.exits) {
    std::string threshold = "-";
    if (classes) threshold = show_number(exit.threshold);
    // Movements are stored in tolerances; for a single target they are shown in its units.
    if (!classes && exit.threshold >= 0.0)
      threshold = model.targets.size() == 1 ? show_number(exit.threshold * model.early_exit.tolerances.front())
                                            : show_number(exit.threshold) + " tolerances";
    rows.push_back({std::to_string(model.network.units_after(exit.steps)), threshold});
  }
  return draw_table(rows);
}

std::string show_result(const model::Model& model, const std::string& path) {
  const model::EarlyExit& found = model.early_exit;
  std::vector<std::pair<std::string, std::string>> facts{
      {"model", path},
      {"guarantee", show_guarantee(model)},
      {"tested on", fmt::format("{}; {} got another {}", core::counted(found.rows, "row"), found.differed,
                                model.classes.empty() ? "prediction" : "label")},
      {"units", fmt::format("{:.1f} of {} on average ({:.0f} %)", found.mean_units, model.network.units(),
                            100.0 * found.mean_units / static_cast<double>(model.network.units()))}};
  if (!found.tolerances.empty()) {
    std::vector<std::string> values;
    for (const double value : found.tolerances) values.push_back(show_number(value));
    facts.emplace_back("tolerance", show_list(values));
  }
  if (found.exits.empty()) return list_facts(facts) + "No threshold keeps the guarantee: every row uses all units.\n";
  return list_facts(facts) + "\n" + show_exits(model);
}

void dial(const DialFlags& flags, const Common& common) {
  const std::string& output = flags.output.empty() ? flags.model : flags.output;
  core::Workers workers(common.threads);
  model::Model model = io::load_model(flags.model);
  model::require_dial(model);
  // The output may overwrite the model itself, which is replaced atomically.
  check_output(output, {flags.read.file});
  boosting::DialOptions options = flags.options;
  if (flags.tolerance) {
    if (!(*flags.tolerance > 0.0))
      throw core::UsageError(fmt::format("--tolerance {}: must be positive", *flags.tolerance));
    options.tolerance = *flags.tolerance;
  }
  const data::Table table = read_table_for(model, flags.read, workers);
  {
    const WorkProgress progress(common, workers, "predicting at every exit");
    model.early_exit = boosting::find_exits(model, table, options, workers);
  }
  io::save_model(model, output);
  if (common.json) {
    Json json = early_exit_json(model);
    json["model"] = output;
    json["units"] = model.network.units();
    print_json(json);
  } else if (!common.quiet) {
    print(show_result(model, output));
  }
}

}  // namespace

Run add_dial(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DialFlags>();
  app.add_option("model", flags->model, "model file")->required()->type_name("MODEL");
  add_read_flags(app, flags->read);
  app.get_option("data")->description(
      "CSV file of rows that were not used in training, may be gzipped; -: standard input. Its targets are not read");
  app.add_option("--disagreement", flags->options.disagreement,
                 "max share of rows whose label may differ from that of all units (default: 0.001)")
      ->type_name("SHARE");
  app.add_option("--confidence", flags->options.confidence,
                 "probability that the share is kept, over the draw of DATA (default: 0.95)")
      ->type_name("P");
  app.add_option(
         "--tolerance", flags->tolerance,
         "regression: a prediction counts as different if it changes by more, in units of the target (default: a "
         "tenth of the standard deviation of the predictions)")
      ->type_name("X");
  add_seed_flag(app, flags->options.seed, "the draw of the rows that shape the thresholds");
  app.add_option("-o,--output", flags->output, "model file to write (default: the input)")
      ->type_name("FILE")
      ->check(not_empty);
  return [flags, &common] { dial(*flags, common); };
}

}  // namespace accrete::cli
