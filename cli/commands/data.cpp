// accrete data list, accrete data make: built-in data generators. accrete data split is in data_split.cpp.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/io/csv.hpp"
#include "cli/commands.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"

namespace accrete::cli {
namespace {

struct MakeFlags {
  std::string name;
  std::optional<std::size_t> rows;
  std::uint64_t seed = 0;
  std::string output = "-";
};

void list_data(const Common& common) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> table{{"name", "rows", "description"}};
  for (const auto& g : data::generators()) {
    list.push_back({{"name", g.name}, {"summary", g.summary}, {"rows", g.default_rows}, {"exact", g.exact}});
    table.push_back({g.name, std::to_string(g.default_rows), g.summary});
  }
  common.json ? print_json({{"data", list}}) : print(draw_table(table));
}

void make_data(const MakeFlags& flags, const Common& common) {
  const data::Generator& generator = data::generator_named(flags.name);
  const std::size_t rows = flags.rows.value_or(generator.default_rows);
  if (generator.exact && flags.rows && rows != generator.default_rows)
    throw core::UsageError(fmt::format("-n {}: {} always has {} rows", rows, generator.name, generator.default_rows));
  const bool to_stdout = flags.output == "-";
  if (to_stdout && common.json) throw core::UsageError("--json needs -o FILE, because standard output holds the data");
  if (!to_stdout) check_output(flags.output, {});
  constexpr std::size_t many = 100'000;  // fewer rows are made before the bar would appear
  ProgressBar bar(common);
  if (rows >= many) bar.announce(fmt::format("making {}", core::counted(rows, "row")));
  const data::Table table = generator.make(rows, flags.seed);
  stop_if_interrupted();
  if (to_stdout) {
    bar.clear();
    return print(io::to_csv(table));
  }
  io::write_csv(table, flags.output, ',', [&](std::size_t written) {
    stop_if_interrupted();
    bar.update(written, table.rows(), "writing rows");
  });
  bar.clear();
  if (common.json)
    print_json({{"name", generator.name},
                {"rows", table.rows()},
                {"columns", table.columns.size()},
                {"seed", flags.seed},
                {"output", flags.output}});
  else if (!common.quiet)
    print(fmt::format("{}: {}, {} columns, the target is '{}'\n", flags.output, core::counted(table.rows(), "row"),
                      table.columns.size(), table.columns.back().name));
}

}  // namespace

Run add_data(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<MakeFlags>();
  app.require_subcommand(1);
  CLI::App* list = app.add_subcommand("list", "List the built-in generators");
  list->footer("Example:\n  accrete data list");
  CLI::App* make = app.add_subcommand("make", "Generate data as CSV");
  make->footer("Example:\n  accrete data make ringnorm -n 5000 --seed 1 -o ringnorm.csv");
  make->add_option("name", flags->name, "generator name (see accrete data list)")->required()->type_name("NAME");
  make->add_option("-n,--rows", flags->rows, "number of rows (default: see accrete data list)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  make->add_option("--seed", flags->seed, "random seed (default: 0)")
      ->type_name("N")
      ->check(whole_number(0, UINT64_MAX));
  make->add_option("-o,--output", flags->output, "output file (default: standard output)")
      ->type_name("FILE")
      ->check(not_empty);
  CLI::App* split = app.add_subcommand("split", "Split a CSV file into training and test rows");
  const Run run_split = add_data_split(*split, common);
  return [=, &common] {
    if (split->parsed()) return run_split();
    list->parsed() ? list_data(common) : make_data(*flags, common);
  };
}

}  // namespace accrete::cli
