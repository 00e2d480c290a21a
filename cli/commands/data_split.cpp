// accrete data split: splits the lines of a CSV file, unchanged, into a training and a test file.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/split.hpp"
#include "accrete/data/target.hpp"
#include "accrete/io/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/read_files.hpp"

namespace accrete::cli {
namespace {

struct DataSplitFlags {
  ReadFlags read;
  std::string target, task;
  double fraction = 0.3;
  std::uint64_t seed = 0;
  std::string train, test;
};

void check_outputs(const DataSplitFlags& flags) {
  for (const auto& [flag, path] : {std::pair("--train", flags.train), std::pair("--test", flags.test)})
    if (path == "-")
      throw core::UsageError(fmt::format("{} -: the two parts cannot go to standard output; name a file", flag));
  namespace fs = std::filesystem;
  std::error_code error;
  const auto place = [&](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, error), error); };
  if (place(flags.train) == place(flags.test))
    throw core::UsageError(fmt::format("--train and --test: both are '{}'", flags.train));
  check_output(flags.train, {flags.read.file});
  check_output(flags.test, {flags.read.file});
}

void write_lines(io::AtomicFile& file, const io::CsvLines& lines, std::span<const std::size_t> rows) {
  const auto write = [&](std::string_view line) {
    file.write(line);
    if (!line.ends_with('\n')) file.write("\n");  // the last line of the file
  };
  if (!lines.header.empty()) write(lines.header);
  for (const std::size_t r : rows) write(lines.rows[r]);
}

void report(const DataSplitFlags& flags, const data::Target& target, const data::Split& split, const Common& common) {
  const bool classes = !target.classes.empty();
  if (common.json)
    return print_json({{"target", target.names.front()},
                       {"stratified", classes},
                       {"classes", target.classes},
                       {"seed", flags.seed},
                       {"train", {{"output", flags.train}, {"rows", split.train.size()}}},
                       {"test", {{"output", flags.test}, {"rows", split.test.size()}}}});
  if (common.quiet) return;
  print(fmt::format("{}: {}\n{}: {}\n", flags.train, core::counted(split.train.size(), "row"), flags.test,
                    core::counted(split.test.size(), "row")));
  print(classes ? fmt::format("stratified by the {} classes of '{}'\n", target.classes.size(), target.names.front())
                : fmt::format("split at random: '{}' is numeric\n", target.names.front()));
}

void split_file(const DataSplitFlags& flags, const Common& common) {
  refuse_svmlight(flags.read, "data split");
  check_outputs(flags);
  core::Workers workers(common.threads);
  TargetFlags target_flags;
  target_flags.task = flags.task;
  io::CsvOptions options = csv_options(flags.read);
  options.as_text = {flags.target.empty() ? "-1" : flags.target};
  const io::FileText file(flags.read.file);
  const std::string source = flags.read.file == "-" ? "standard input" : flags.read.file;
  const data::Table table = io::parse_csv(file, source, options, workers);
  note_numeric_header(table, flags.read, common);
  const std::size_t column[] = {table.require(options.as_text.front())};
  const data::Target target = data::read_target(table, column, target_flags.chosen_task());

  std::vector<double> labels;
  if (!target.classes.empty()) labels.assign(target.values.flat().begin(), target.values.flat().end());
  const data::Split split = data::holdout(table.rows(), labels, flags.fraction, flags.seed);
  const io::CsvLines lines = io::csv_lines(file, options);
  stop_if_interrupted();
  io::AtomicFile train(flags.train), test(flags.test);
  write_lines(train, lines, split.train);
  write_lines(test, lines, split.test);
  stop_if_interrupted();
  train.commit();
  test.commit();
  report(flags, target, split, common);
}

/// For Option::check.
std::string fraction(const std::string& text) {
  const auto value = data::parse_number(text);
  return value && *value > 0.0 && *value < 1.0 ? "" : text + " must be above 0 and below 1";
}

}  // namespace

Run add_data_split(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DataSplitFlags>();
  app.footer(
      "Lines keep their text and order; both files get the header. A class target is stratified, a numeric one is\n"
      "split at random.\n\n"
      "Example:\n  accrete data split wine.csv --target quality --test-fraction 0.3 --train train.csv --test test.csv");
  add_csv_flags(app, flags->read);
  app.add_option("--target", flags->target, "column to stratify by: name or index (-1: last) (default: last column)")
      ->type_name("COLUMN")
      ->check(not_empty);
  app.add_option("--task", flags->task, "regression, binary or multiclass (default: inferred from the target)")
      ->type_name("NAME")
      ->check(not_empty);
  app.add_option("--test-fraction", flags->fraction, "fraction of the rows for --test (default: 0.3)")
      ->type_name("X")
      ->check(fraction);
  add_seed_flag(app, flags->seed, "the split");
  app.add_option("--train", flags->train, "output file for the training rows")
      ->required()
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--test", flags->test, "output file for the test rows")
      ->required()
      ->type_name("FILE")
      ->check(not_empty);
  return [=, &common] { split_file(*flags, common); };
}

}  // namespace accrete::cli
