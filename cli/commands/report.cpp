// accrete report: a self-contained HTML page about a model on labelled rows, and its figures as files.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "accrete/boosting/read.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/plain.hpp"
#include "cli/commands.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/read_files.hpp"
#include "report/charts/text.hpp"
#include "report/model/model_report.hpp"

namespace accrete::cli {
namespace {

using report::counted;
using report::LabelledRows;

struct ReportFlags {
  std::string model;
  ReadFlags read;
  std::string output = "report.html";
  std::string figures;
  std::size_t repeats = 5;
  std::uint64_t seed = 0;
};

constexpr const char* no_gnuplot = "gnuplot is not installed (Debian package gnuplot-nox)";

LabelledRows read_labelled_rows(const model::Model& model, const data::Table& table, const ReportFlags& flags) {
  LabelledRows data{model, table, boosting::read_targets_of(model, table), {}};
  data.offsets = boosting::read_offsets_of(model, table, flags.read.offset_column);
  if (!flags.read.weight_column.empty()) data.weights = boosting::read_weights(table, flags.read.weight_column);
  return data;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::vector<std::pair<std::string, std::string>> facts_of(const LabelledRows& data, const ReportFlags& flags) {
  const model::Model& model = data.model;
  std::vector<std::pair<std::string, std::string>> facts{
      {"model", fmt::format("{}, made by accrete {}", file_name(flags.model), model.provenance.version)},
      {"measured on", fmt::format("{}, {}", file_name(data.table.source), counted(data.table.rows(), "row"))},
      {"task", data::task_name(model.task)},
      {model.targets.size() == 1 ? "target" : "targets", show_list(model.targets)}};
  if (!model.classes.empty()) facts.emplace_back("classes", show_list(model.classes));
  facts.emplace_back("network",
                     fmt::format("{}, {} ({}) in {}, {}", show_inputs(model.encoder),
                                 counted(model.network.units(), "unit"), model.network.activation().name(),
                                 counted(model.network.steps(), "step"), counted(model.network.outputs(), "output")));
  facts.emplace_back("loss", model.loss.name());
  facts.emplace_back("trained on", counted(model.provenance.training_rows, "row"));
  if (!model.provenance.choice.trials.empty()) facts.emplace_back("chosen", show_choice(model.provenance.choice));
  if (!data.weights.empty()) facts.emplace_back("weights", flags.read.weight_column);
  if (!data.offsets.empty())
    facts.emplace_back("offset", flags.read.offset_column.empty() ? model.offset_column : flags.read.offset_column);
  return facts;
}

report::ModelReport make_report(const LabelledRows& data, const ReportFlags& flags, const Common& common,
                                core::Workers& workers) {
  ProgressBar bar(common);
  const auto progress = [&bar](const char* what) {
    return [&bar, what](std::size_t done, std::size_t total) {
      bar.update(done, total, fmt::format("{}/{} {}", done, total, what));
      return !interrupted();
    };
  };
  report::ModelReport result{fmt::format("{} on {}", file_name(flags.model), file_name(data.table.source)),
                             facts_of(data, flags),
                             report::measure(data, flags.seed, progress("steps"), workers),
                             {},
                             report::column_contributions(data, flags.seed, workers)};
  if (!result.measures.stopped)
    result.importances = report::importances(data, {flags.repeats, flags.seed, progress("shuffled columns")}, workers);
  if (!result.importances.stopped) result.shapes = report::column_shapes(data, workers);
  if (!result.importances.stopped) result.exits = report::measure_exits(data, workers);
  bar.clear();
  if (result.measures.stopped || result.importances.stopped)
    throw Interrupted{fmt::format("stopped by {}; nothing was written", interrupt_name())};
  return result;
}

/// Writes every figure as SVG and PNG; returns the paths.
std::vector<std::string> write_figures(const report::Page& page, const report::Gnuplot& gnuplot,
                                       const std::string& folder) {
  std::vector<std::string> paths;
  for (const report::Figure& figure : page.figures())
    for (const auto format : {report::Format::svg, report::Format::png}) {
      const char* ending = format == report::Format::svg ? ".svg" : ".png";
      io::AtomicFile file(paths.emplace_back((std::filesystem::path(folder) / (figure.id + ending)).string()));
      file.write(gnuplot.draw(figure.chart, format));
      file.commit();
    }
  return paths;
}

Json report_json(const LabelledRows& data, const report::ModelReport& result) {
  Json metrics = Json::object(), columns = Json::array();
  for (std::size_t i = 0; i < result.measures.metrics.size(); ++i)
    metrics[result.measures.metrics[i]] = result.measures.full_network().metrics[i];
  for (const auto& column : result.importances.columns)
    columns.push_back({{"column", column.column}, {"mean", column.mean}, {"sd", column.sd}});
  Json contributions = Json::array();
  for (const auto& column : result.contributions.columns)
    contributions.push_back({{"column", column.name}, {"mean", column.mean_size}});
  return {{"rows", data.table.rows()},
          {"units", result.measures.full_network().units},
          {"metrics", metrics},
          {"importance",
           {{"metric", result.importances.metric},
            {"rows", result.importances.rows},
            {"repeats", result.importances.repeats},
            {"columns", columns}}},
          {"contributions", {{"rows", result.contributions.rows}, {"columns", contributions}}}};
}

void write_report(const ReportFlags& flags, const Common& common) {
  refuse_svmlight(flags.read, "report");
  if (flags.output == "-") throw core::UsageError("-o -: must be a file name");
  const auto gnuplot = report::Gnuplot::find();
  if (!gnuplot && !flags.figures.empty()) throw core::Error(fmt::format("--figures {}: {}", flags.figures, no_gnuplot));
  core::Workers workers(common.threads);
  const model::Model model = io::load_model(flags.model);
  model::require_grown(model, "report");
  check_output(flags.output, {flags.model, flags.read.file});
  const data::Table table = read_table_for(model, flags.read, workers, Targets::required);
  const LabelledRows data = read_labelled_rows(model, table, flags);
  if (!flags.figures.empty()) make_directory(flags.figures);

  const report::ModelReport result = make_report(data, flags, common, workers);
  const report::Page page = report::model_page(data, result, gnuplot);
  io::AtomicFile file(flags.output);
  file.write(page.html());
  file.commit();
  std::vector<std::string> written{flags.output};
  if (!flags.figures.empty())
    for (auto& path : write_figures(page, *gnuplot, flags.figures)) written.push_back(std::move(path));

  if (!gnuplot) note(common, fmt::format("{}: without JavaScript the page shows tables instead of charts", no_gnuplot));
  if (common.json) {
    Json json = report_json(data, result);
    json["written"] = written;
    return print_json(json);
  }
  print(fmt::format("{}\n", fmt::join(written, "\n")));
}

}  // namespace

Run add_report(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<ReportFlags>();
  app.add_option("model", flags->model, "model file")->required()->type_name("MODEL");
  add_csv_flags(app, flags->read);
  app.add_option("-o,--output", flags->output, "HTML file to write, self-contained (default: report.html)")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--figures", flags->figures, "also write every figure as SVG and PNG to this directory")
      ->type_name("DIR")
      ->check(not_empty);
  app.add_option("--repeats", flags->repeats, "shuffles per column for the permutation importance (default: 5)")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  add_seed_flag(app, flags->seed, "all random draws");
  add_weight_flag(app, flags->read);
  add_offset_flag(app, flags->read);
  return [flags, &common] { write_report(*flags, common); };
}

}  // namespace accrete::cli
