// accrete demo: one small network shown at several sizes, as a table, a page and a figure.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "accrete/io/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "report/demo/demo.hpp"

namespace accrete::cli {
namespace {

using report::Demo;

struct DemoFlags {
  std::string output_dir = "accrete-demo";
  std::uint64_t seed = 0;
};

void write_demo(const DemoFlags& flags, const Common& common) {
  const auto start = std::chrono::steady_clock::now();
  make_directory(flags.output_dir);
  const std::string page_path = (std::filesystem::path(flags.output_dir) / "demo.html").string();
  const std::string picture_path = (std::filesystem::path(flags.output_dir) / "demo.png").string();
  io::AtomicFile page(page_path), picture(picture_path);

  const auto gnuplot = report::Gnuplot::find();
  core::Workers workers(common.threads);
  const Demo demo = report::grow_demo(flags.seed, workers);
  page.write(report::demo_page(demo, gnuplot).html());
  page.commit();
  if (gnuplot) {
    picture.write(gnuplot->draw(report::demo_row(demo), report::Format::png));
    picture.commit();
  } else {
    note(common, "gnuplot is not installed (Debian package gnuplot-nox): demo.png is not written");
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Json units = Json::array(), accuracy = Json::array();
  std::vector<std::vector<std::string>> table{{"units", "accuracy"}};
  for (const std::size_t k : Demo::table_units) {
    units.push_back(k);
    accuracy.push_back(demo.accuracy_with(k));
    table.push_back({std::to_string(k), fmt::format("{:.1f} %", 100.0 * demo.accuracy_with(k))});
  }
  if (common.json)
    return print_json({{"units", units},
                       {"accuracy", accuracy},
                       {"bayes", demo.bayes},
                       {"page", page_path},
                       {"picture", gnuplot ? Json(picture_path) : Json()},
                       {"seconds", seconds}});
  table.push_back({"best possible", fmt::format("{:.1f} %", 100.0 * demo.bayes)});
  if (!common.quiet)
    print(fmt::format("One network of {} units, grown on {} rows; only the number of units used changes.\n\n",
                      Demo::Plane::units, Demo::Plane::training_rows));
  print(draw_table(table));
  if (!common.quiet) print("\n");
  print(page_path + "\n");
  if (gnuplot) print(picture_path + "\n");
}

}  // namespace

Run add_demo(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DemoFlags>();
  app.add_option("-o,--output-dir", flags->output_dir, "directory for demo.html and demo.png")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--seed", flags->seed, "random seed (default: 0)")->type_name("N");
  return [flags, &common] { write_demo(*flags, common); };
}

}  // namespace accrete::cli
