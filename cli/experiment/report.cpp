#include "cli/experiment/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "accrete/core/error.hpp"
#include "accrete/io/atomic_file.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "report/experiment/page.hpp"

namespace accrete::cli {
namespace {

namespace fs = std::filesystem;

struct ExperimentReportFlags {
  std::string store, folder = "report";
};

/// Checks that the file exists: store::open would create it.
std::vector<store::Result> read_results(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) throw core::FileError(fmt::format("cannot read '{}': {}", path, error.message()));
  std::vector<store::Result> results;
  if (size > 0) results = store::open(path)->results();
  if (results.empty()) throw core::DataError(fmt::format("{}: no results; run accrete experiment run first", path));
  return results;
}

/// Writes files to one folder and remembers their paths.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path) : path_(std::move(path)) {
    make_directory((fs::path(path_) / "figures").string());
  }

  void write(const std::string& name, std::string_view bytes) {
    io::AtomicFile file(written_.emplace_back((fs::path(path_) / name).string()));
    file.write(bytes);
    file.commit();
  }
  const std::vector<std::string>& written() const { return written_; }

 private:
  std::string path_;
  std::vector<std::string> written_;
};

void write_report(const ExperimentReportFlags& flags, const Common& common) {
  const auto gnuplot = report::Gnuplot::find();
  if (!gnuplot) throw core::Error("gnuplot, which draws the figures, is not installed (Debian package gnuplot-nox)");
  const auto results = read_results(flags.store);
  const auto profiles = report::read_experiments(results);
  if (profiles.empty()) throw core::DataError(fmt::format("{}: no results known to this version", flags.store));
  const report::Document document = report::experiment_document(profiles);
  const report::Page page = report::to_page(document, gnuplot);

  OutputFolder folder(flags.folder);
  folder.write("report.html", page.html());
  folder.write("experiments.md", report::to_markdown(document, "figures"));
  folder.write("table.csv", report::table_csv(profiles));
  folder.write("scores.csv", report::scores_csv(profiles));
  for (const report::Figure& figure : page.figures()) {
    folder.write("figures/" + figure.id + ".svg", gnuplot->draw(figure.chart, report::Format::svg));
    folder.write("figures/" + figure.id + ".png", gnuplot->draw(figure.chart, report::Format::png));
  }

  if (!common.json) return print(fmt::format("{}\n", fmt::join(folder.written(), "\n")));
  Json json{{"results", results.size()}, {"profiles", Json::array()}, {"figures", page.figures().size()}};
  for (const auto& profile : profiles)
    json["profiles"].push_back({{"name", profile.table.profile->name}, {"cells", profile.table.cells()}});
  json["written"] = folder.written();
  print_json(json);
}

}  // namespace

Run add_experiment_report(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<ExperimentReportFlags>();
  app.add_option("--store", flags->store, "SQLite file of accrete experiment run; may still be in use")
      ->required()
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("-o,--output", flags->folder, "output folder (default: report)")->type_name("DIR")->check(not_empty);
  app.footer(
      "Writes report.html (self-contained), experiments.md (the same as Markdown), table.csv and scores.csv (accuracy\n"
      "in percent), and every figure as SVG and PNG in figures/. Missing results are listed. The same store gives\n"
      "the same bytes.\n\n"
      "Example:\n  accrete experiment report --store runs.sqlite -o report/");
  return [flags, &common] { write_report(*flags, common); };
}

}  // namespace accrete::cli
