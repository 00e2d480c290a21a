// accrete explain: writes the contribution of every column to every row's score as CSV, in row order.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/explain/contributions.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/method.hpp"
#include "cli/commands.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/read_files.hpp"

namespace accrete::cli {
namespace {

using explain::Contributions;

struct ExplainFlags {
  std::string model;
  ReadFlags read;
  std::optional<std::size_t> units;
  std::string class_name;
  std::string output = "-";
};

/// The outputs to write: the named one, or all outputs of the model.
std::vector<std::size_t> chosen_outputs(const model::Model& model, const std::string& name) {
  const std::vector<std::string> names = explain::output_names(model);
  std::vector<std::size_t> outputs;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (name.empty() || name == names[k]) outputs.push_back(k);
  if (outputs.empty())
    throw core::UsageError(fmt::format("--class: the model has no score for '{}'; it has one for {}{}", name,
                                       show_list(names),
                                       core::did_you_mean(name, fmt::format("{}", fmt::join(names, ", ")))));
  return outputs;
}

/// The name, with underscores appended until no column has it.
std::string unused_name(std::string name, const std::vector<std::string>& used) {
  while (std::ranges::find(used, name) != used.end()) name += '_';
  return name;
}

/// COLUMN,...,baseline,score; with several outputs each name is NAME:OUTPUT, output by output.
std::string header(const Contributions& all, const std::vector<std::string>& names,
                   const std::vector<std::size_t>& outputs) {
  std::string line;
  for (const std::size_t k : outputs) {
    const auto add = [&](const std::string& name) {
      line += (line.empty() ? "" : ",") + io::csv_field(outputs.size() == 1 ? name : name + ":" + names[k]);
    };
    for (const std::string& name : all.column_names) add(name);
    add(unused_name("baseline", all.column_names));
    add(unused_name("score", all.column_names));
  }
  return line + "\n";
}

/// Numbers are written with the fewest digits that round-trip.
void append_row(std::string& text, const Contributions& all, std::size_t row, const std::vector<std::size_t>& outputs) {
  for (const std::size_t k : outputs) {
    if (k != outputs.front()) text += ',';
    for (std::size_t c = 0; c < all.columns; ++c) fmt::format_to(std::back_inserter(text), "{},", all(row, c, k));
    fmt::format_to(std::back_inserter(text), "{},{}", all.baseline[k], all.score(row, k));
  }
  text += '\n';
}

template <class Write>
void write_rows(const Contributions& all, const std::vector<std::string>& names,
                const std::vector<std::size_t>& outputs, Write&& write) {
  constexpr std::size_t block = 1 << 18;
  std::string text = header(all, names, outputs);
  for (std::size_t r = 0; r < all.rows; ++r) {
    append_row(text, all, r, outputs);
    if (text.size() < block) continue;
    stop_if_interrupted();
    write(text);
    text.clear();
  }
  write(text);
}

void explain_rows(const ExplainFlags& flags, const Common& common) {
  const bool to_stdout = flags.output == "-";
  if (to_stdout && common.json)
    throw core::UsageError("--json needs -o FILE, because standard output holds the contributions");
  core::Workers workers(common.threads);
  const model::Model model = io::load_model(flags.model);
  if (model.method != model::Method::boosting)
    throw core::UsageError(fmt::format("{}: contributions need a boosted network; this model is of the method '{}'",
                                       flags.model, model::method_name(model.method)));
  const std::vector<std::size_t> outputs = chosen_outputs(model, flags.class_name);
  const std::size_t steps = steps_for(model, flags.units.value_or(0), common);
  if (!to_stdout) check_output(flags.output, {flags.model, flags.read.file});
  const data::Table table = read_table_for(model, flags.read, workers);
  std::optional<WorkProgress> progress(std::in_place, common, workers, "explaining rows");
  const Contributions all = explain::contributions(model, table, steps, workers);
  progress.reset();
  const std::vector<std::string> names = explain::output_names(model);
  if (to_stdout) return write_rows(all, names, outputs, [](const std::string& text) { print(text); });
  io::AtomicFile file(flags.output);
  write_rows(all, names, outputs, [&](const std::string& text) { file.write(text); });
  file.commit();
  if (common.json)
    print_json({{"rows", all.rows},
                {"columns", all.columns},
                {"units", model.units_after(steps)},
                {"steps", steps},
                {"model", flags.model},
                {"output", flags.output}});
  else if (!common.quiet)
    print(fmt::format("{}: contributions of {} to {}, {}\n", flags.output, core::counted(all.columns, "column"),
                      core::counted(all.rows, "row"), core::counted(model.units_after(steps), "unit")));
}

}  // namespace

Run add_explain(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<ExplainFlags>();
  app.add_option("model", flags->model, "model file")->required()->type_name("MODEL");
  add_read_flags(app, flags->read);
  app.add_option("--units", flags->units, "use the first N units, rounded down to a step (default: all)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  app.add_option("--class", flags->class_name,
                 "only the score for this class, or this target of several (default: all)")
      ->type_name("NAME")
      ->check(not_empty);
  app.add_option("-o,--output", flags->output, "CSV file to write (default: standard output)")
      ->type_name("FILE")
      ->check(not_empty);
  return [flags, &common] { explain_rows(*flags, common); };
}

}  // namespace accrete::cli
