#include "cli/support/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "accrete/boosting/choose.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/scores.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

const char* value_name(const config::Parameter& p) {
  if (std::holds_alternative<config::Parameter::Field<bool>>(p.field)) return "on|off";
  if (std::holds_alternative<config::Parameter::Field<std::uint64_t>>(p.field)) return "N";
  const bool has_columns = std::holds_alternative<config::Parameter::Field<config::Monotone>>(p.field) ||
                           std::holds_alternative<config::Parameter::Field<config::Interactions>>(p.field);
  if (has_columns) return "COLUMNS";
  if (std::holds_alternative<config::Parameter::Field<config::ClassWeights>>(p.field)) return "CLASSES";
  if (std::holds_alternative<config::Parameter::Field<config::GroupWeights>>(p.field)) return "COLUMN";
  return p.allowed.choices ? "NAME" : "X";
}

}  // namespace

std::string show_default(const config::Parameter& p) {
  const auto chosen = boosting::chosen_parameters();
  if (std::ranges::find(chosen, std::string_view(p.name)) != chosen.end()) return chosen_for_the_data;
  const std::string classes = get(config::configure("default", data::Task::binary), p),
                    regression = get(config::configure("default", data::Task::regression), p);
  if (p.allowed.choices && classes != regression) return "by the task";
  return classes == regression ? classes : fmt::format("{}, regression: {}", classes, regression);
}

std::optional<data::Task> TargetFlags::chosen_task() const {
  if (task.empty()) return std::nullopt;
  return data::task_named(task);
}

std::function<std::string(const std::string&)> whole_number(std::uint64_t low, std::uint64_t high) {
  return [=](const std::string& text) {
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool fine = error == std::errc{} && stop == text.data() + text.size() && value >= low && value <= high;
    return fine ? std::string() : fmt::format("{} must be a whole number from {} to {}", text, low, high);
  };
}

std::string not_empty(const std::string& text) {
  return text.empty() ? "the value is empty" : "";
}

void add_csv_flags(CLI::App& app, ReadFlags& flags) {
  app.add_option("data", flags.file, "CSV file, may be gzipped; -: standard input")->required()->type_name("FILE");
  app.add_flag("--no-header", flags.no_header, "the first line is data; columns become c0, c1, ...");
  app.add_option("--delimiter", flags.delimiter, "field separator: one character, or tab (default: detected)")
      ->type_name("CHAR")
      ->check(not_empty);
}

void add_read_flags(CLI::App& app, ReadFlags& flags) {
  add_csv_flags(app, flags);
  app.get_option("data")->description(
      "CSV or svmlight (.svm, .svmlight, .libsvm) file, may be gzipped; -: CSV on standard input");
  app.add_flag("--zero-based", flags.zero_based, "the indices of an svmlight file begin at 0 (default: at 1)");
}

void add_fold_flags(CLI::App& app, FoldFlags& flags) {
  app.add_option("--folds", flags.folds, "number of folds (default: 10)")
      ->type_name("N")
      ->check(whole_number(2, 1'000'000));
  app.add_option("--repeats", flags.repeats, "repetitions with new folds (default: 1)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000));
}

std::string show_folds(const FoldFlags& flags) {
  return fmt::format("{}{}", flags.folds, flags.repeats > 1 ? fmt::format(" x {} repeats", flags.repeats) : "");
}

void add_seed_flag(CLI::App& app, std::uint64_t& seed, const std::string& what) {
  constexpr std::uint64_t max_seed = (std::uint64_t{1} << 53) - 1;
  app.add_option("--seed", seed, "seed of " + what + " (default: 0)")->type_name("N")->check(whole_number(0, max_seed));
}

void add_store_flag(CLI::App& app, std::string& store) {
  app.add_option("--store", store, "SQLite file of finished fits; rerun the command to resume")
      ->type_name("FILE")
      ->check(not_empty);
}

void check_store(const std::string& path) {
  if (path.empty()) return;
  if (std::filesystem::exists(path))
    store::open(path);
  else
    check_output(path, {});
}

void check_metric(const std::string& name, std::optional<data::Task> task) {
  if (name.empty()) return;
  metric::Metric::named(name);
  if (task) tune::ranking_metric(name, *task);
}

void add_metric_flag(CLI::App& app, std::string& metric, const std::string& what) {
  app.add_option("--metric", metric,
                 fmt::format("metric to {} by: {} (default: accuracy or rmse)", what, metric::All::join()))
      ->type_name("NAME")
      ->check(not_empty);
}

void add_weight_flag(CLI::App& app, ReadFlags& flags) {
  app.add_option("--weight-column", flags.weight_column, "column of row weights, at least 0")
      ->type_name("COLUMN")
      ->check(not_empty);
}

void add_offset_flag(CLI::App& app, ReadFlags& flags) {
  app.add_option("--offset-column", flags.offset_column,
                 "column of numbers added to the score, such as the logarithm of an exposure (loss poisson)")
      ->type_name("COLUMN")
      ->check(not_empty);
}

void add_target_flags(CLI::App& app, TargetFlags& flags) {
  app.add_option("--target", flags.targets,
                 "column to predict: name or index (-1: last); several: a,b or repeated (default: last column)")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--task", flags.task, "regression, binary or multiclass (default: inferred from the target)")
      ->type_name("NAME")
      ->check(not_empty);
  const auto add_columns = [&](const char* name, std::vector<std::string>& columns, const char* what) {
    app.add_option(name, columns, what)->type_name("COLUMN")->delimiter(',')->allow_extra_args(false);
  };
  add_columns("--categorical", flags.categorical, "columns to treat as categories; a,b or repeated");
  add_columns("--numeric", flags.numeric, "columns to read as numbers; other texts in them become missing values");
  add_columns("--ignore", flags.ignore, "columns not to use; a,b or repeated");
  app.add_option("--missing-values", flags.missing_values,
                 "more spellings of a missing value, such as -,. or -999; a,b or repeated")
      ->type_name("TEXT")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_preset_flag(CLI::App& app, std::string& preset) {
  app.add_option("--preset", preset,
                 "how much effort goes into choosing parameters: fast, default or best; paper: the paper's values "
                 "(default: default)")
      ->type_name("NAME");
}

void add_parameter_flags(CLI::App& app, GivenParameters& given) {
  const auto list = config::parameters();
  given.assign(list.size(), "");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (app.get_option_no_throw(flag_of(list[i].name))) continue;  // a search has its own --metric, by which it ranks
    app.add_option(flag_of(list[i].name), given[i],
                   fmt::format("{} ({}; default: {})", list[i].summary, list[i].range(), show_default(list[i])))
        ->type_name(value_name(list[i]))
        ->check(not_empty)
        ->group("Parameters (defaults are those of the preset default)");
  }
}

void replace_defaults(CLI::App& app, const std::string& group) {
  for (CLI::Option* option : app.get_options()) {
    if (!option->get_group().starts_with("Parameters")) continue;
    option->group(group);
    const std::string text = option->get_description();
    option->description(text.substr(0, text.find("; default: ")) + ")");
  }
}

std::vector<config::Setting> given_settings(const GivenParameters& given) {
  std::vector<config::Setting> settings;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i].empty()) settings.emplace_back(config::parameters()[i].name, given[i]);
  return settings;
}

std::optional<std::string> given_text(const GivenParameters& given, std::string_view name) {
  for (const auto& [key, text] : given_settings(given))
    if (key == name) return text;
  return std::nullopt;
}

config::Config given_config(const GivenParameters& given) {
  return config::parse_settings(given_settings(given));
}

std::string group_column_of(const GivenParameters& given) {
  const auto groups = given_config(given).group_weight;
  return groups ? groups->column : "";
}

}  // namespace accrete::cli
