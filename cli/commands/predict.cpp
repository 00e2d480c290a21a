// accrete predict: writes predictions as CSV, in row order.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "accrete/boosting/read.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/offsets.hpp"
#include "cli/commands.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

struct Flags {
  std::string model;
  ReadFlags read;
  std::optional<std::size_t> units;
  bool proba = false;
  std::string output = "-";
};

std::string header(const model::Model& model, bool proba) {
  std::vector<std::string> names;
  if (model.targets.size() == 1)
    names.push_back("prediction");
  else
    for (const auto& target : model.targets) names.push_back("prediction_" + target);
  for (std::size_t k = 0; proba && k < model.classes.size(); ++k) names.push_back("p_" + model.classes[k]);
  std::string line;
  for (const auto& name : names) line += (line.empty() ? "" : ",") + io::csv_field(name);
  return line + "\n";
}

/// Numbers are written with the fewest digits that round-trip.
void append_row(std::string& text, const std::vector<std::string>& labels, std::span<const double> prediction,
                bool proba) {
  if (!labels.empty()) text += labels[model::best_class(prediction)];
  for (std::size_t k = 0; k < prediction.size() && (labels.empty() || proba); ++k) {
    if (k > 0 || !labels.empty()) text += ',';
    fmt::format_to(std::back_inserter(text), "{}", prediction[k]);
  }
  text += '\n';
}

template <class Write>
void write_rows(const model::Model& model, const core::Matrix<double>& predictions, bool proba, Write&& write) {
  constexpr std::size_t block = 1 << 18;
  std::vector<std::string> labels;
  for (const auto& name : model.classes) labels.push_back(io::csv_field(name));
  std::string text = header(model, proba);
  for (std::size_t r = 0; r < predictions.rows(); ++r) {
    append_row(text, labels, predictions.row(r), proba);
    if (text.size() < block) continue;
    write(text);
    text.clear();
  }
  write(text);
}

void predict(const Flags& flags, const Common& common) {
  const bool to_stdout = flags.output == "-";
  if (to_stdout && common.json)
    throw core::UsageError("--json needs -o FILE, because standard output holds the predictions");
  core::Workers workers(common.threads);
  const model::Model model = io::load_model(flags.model);
  if (flags.proba && model.classes.empty())
    throw core::UsageError(fmt::format("--proba: {} is a regression model", flags.model));
  const std::size_t steps = steps_for(model, flags.units.value_or(0), common);
  if (!to_stdout) check_output(flags.output, {flags.model, flags.read.file});
  const data::Table table = read_table_for(model, flags.read, workers);
  core::Matrix<double> predictions = model::predict(model, table, steps, workers);
  if (!flags.read.offset_column.empty())
    model::add_offsets(model, boosting::read_offsets(table, flags.read.offset_column), predictions);
  if (to_stdout) return write_rows(model, predictions, flags.proba, [](const std::string& text) { print(text); });
  io::AtomicFile file(flags.output);
  write_rows(model, predictions, flags.proba, [&](const std::string& text) { file.write(text); });
  file.commit();
  if (common.json)
    print_json({{"rows", table.rows()},
                {"units", model.units_after(steps)},
                {"steps", steps},
                {"model", flags.model},
                {"output", flags.output}});
  else if (!common.quiet)
    print(fmt::format("{}: {} of {}\n", flags.output, core::counted(table.rows(), "prediction"),
                      core::counted(model.units_after(steps), "unit")));
}

}  // namespace

Run add_predict(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  app.add_option("model", flags->model, "model file")->required()->type_name("MODEL");
  add_read_flags(app, flags->read);
  add_offset_flag(app, flags->read);
  app.add_option("--units", flags->units, "use the first N units, rounded down to a step (default: all)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  app.add_flag("--proba", flags->proba, "also write a probability column p_CLASS per class");
  app.add_option("-o,--output", flags->output, "CSV file to write (default: standard output)")
      ->type_name("FILE")
      ->check(not_empty);
  return [flags, &common] { predict(*flags, common); };
}

}  // namespace accrete::cli
