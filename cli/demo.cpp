// accrete demo: one small network shown at several sizes, as a table, a picture and a page.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "accrete/io/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/demo_experiment.hpp"
#include "cli/demo_figure.hpp"
#include "cli/demo_page.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"

namespace accrete::cli {
namespace {

struct Flags {
  std::string output_dir = "accrete-demo";
  std::uint64_t seed = 0;
};

void demo(const Flags& flags, const Common& common) {
  const auto start = std::chrono::steady_clock::now();
  make_directory(flags.output_dir);
  const std::string page_path = (std::filesystem::path(flags.output_dir) / "demo.html").string();
  const std::string picture_path = (std::filesystem::path(flags.output_dir) / "demo.png").string();
  io::AtomicFile page(page_path), picture(picture_path);

  core::Workers workers(common.threads);
  const Experiment experiment = run_experiment(flags.seed, workers);
  page.write(demo_page(experiment));
  picture.write(draw_row(experiment).png());
  page.commit();
  picture.commit();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Json units = Json::array(), accuracy = Json::array();
  std::vector<std::vector<std::string>> table{{"units", "accuracy"}};
  for (const std::size_t k : Experiment::table_units) {
    units.push_back(k);
    accuracy.push_back(experiment.accuracy(k));
    table.push_back({std::to_string(k), percent(experiment.accuracy(k))});
  }
  if (common.json)
    return print_json({{"units", units},
                       {"accuracy", accuracy},
                       {"bayes", experiment.bayes},
                       {"page", page_path},
                       {"picture", picture_path},
                       {"seconds", seconds}});
  table.push_back({"best possible", percent(experiment.bayes)});
  if (!common.quiet)
    print(fmt::format("One network of {} units, grown on {} rows; only the number of units used changes.\n\n",
                      Experiment::units, Experiment::training_rows));
  print(draw_table(table));
  if (!common.quiet) print("\n");
  print(fmt::format("{}\n{}\n", page_path, picture_path));
}

}  // namespace

Run add_demo(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  app.add_option("-o,--output-dir", flags->output_dir, "directory to write demo.html and demo.png to")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--seed", flags->seed, "every random draw follows from it (default: 0)")->type_name("N");
  return [flags, &common] { demo(*flags, common); };
}

}  // namespace accrete::cli
