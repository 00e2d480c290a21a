// accrete docs: documentation generated from the parameter lists. Hidden from the help.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "accrete/baseline/parameters.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "cli/commands.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

const char* kind_of(const config::Preset& preset) {
  return preset.classes ? "classification" : "regression";
}

/// Presets without those that have the values of an earlier one.
std::vector<config::Preset> distinct_presets() {
  std::vector<config::Preset> distinct;
  for (const auto& preset : config::presets()) {
    const auto has_same_values = [&](const config::Preset& other) {
      return other.classes == preset.classes && std::ranges::all_of(config::parameters(), [&](const auto& parameter) {
               return get(other.config, parameter) == get(preset.config, parameter);
             });
    };
    if (std::ranges::none_of(distinct, has_same_values)) distinct.push_back(preset);
  }
  return distinct;
}

/// The section about the plain methods.
std::string plain_parameters() {
  std::string text =
      "\n## The plain methods\n\n"
      "`--method network` and `--method adaboost` take these instead; [plain-methods.md](plain-methods.md) says what "
      "they "
      "do.\n";
  for (const model::Method method : {model::Method::network, model::Method::adaboost}) {
    const baseline::ResolvedConfig defaults = baseline::configure(method);
    text += fmt::format("\n### --method {}\n\n| name | flag | meaning | allowed | default |\n|---|---|---|---|---|\n",
                        model::method_name(method));
    for (const auto& p : baseline::parameters(method))
      text += fmt::format("| `{}` | `{}` | {} | {} | {} |\n", p.name, flag_of(p.name), p.summary, p.range(),
                          get(defaults, p));
  }
  return text;
}

std::string parameters_page() {
  std::string text =
      "# Parameters\n\n"
      "Made by `accrete docs parameters`; a test compares this page with the program.\n\n"
      "A preset gives every parameter a value, one for classification and one for regression; a flag overrides it. The "
      "name\n"
      "is what model files, JSON and Python use; the flag is the same word with dashes.\n\n"
      "`auto (800)`: unless given, the value is chosen for the data. alpha, bins and units are chosen on held-out "
      "rows,\n"
      "of large tables also feature_fraction and max_iter; the others depend on the number of rows and outputs. The\n"
      "value in parentheses is where choosing starts, and holds with `--auto off` and for fewer than 40 rows. The\n"
      "presets fast and best have the values of default; they try fewer or more settings:\n"
      "[method.md](method.md#what-the-default-chooses).\n\n"
      "## Presets\n\n";
  for (const auto& preset : config::presets())
    text += fmt::format("- `--preset {}`, {}: {}\n", preset.name, kind_of(preset), preset.summary);
  const std::vector<config::Preset> columns = distinct_presets();
  text += "\n## The list\n\n| name | flag | meaning | allowed |";
  std::string rule = "|---|---|---|---|";
  for (const config::Preset& preset : columns) {
    text += fmt::format(" {}, {} |", preset.name, kind_of(preset));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& p : config::parameters()) {
    text += fmt::format("| `{}` | `{}` | {} | {} |", p.name, flag_of(p.name), p.summary, p.range());
    const bool may_choose = show_default(p) == chosen_for_the_data;
    for (const config::Preset& preset : columns)
      text += may_choose && preset.config.automatic ? fmt::format(" auto ({}) |", get(preset.config, p))
                                                    : fmt::format(" {} |", get(preset.config, p));
    text += "\n";
  }
  return text + plain_parameters();
}

}  // namespace

Run add_docs(CLI::App& app, const Common&) {
  app.require_subcommand(1);
  app.add_subcommand("parameters", "docs/parameters.md")->footer("Example:\n  accrete docs parameters");
  return [] { print(parameters_page()); };
}

}  // namespace accrete::cli
