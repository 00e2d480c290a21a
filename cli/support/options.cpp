#include "cli/support/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "accrete/boosting/choose.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/column_index.hpp"
#include "accrete/data/recognise.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/scores.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

char delimiter_of(const std::string& text) {
  if (text.empty()) return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1) throw core::UsageError(fmt::format("--delimiter {}: must be one character, or tab", text));
  return text[0];
}

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

void add_read_flags(CLI::App& app, ReadFlags& flags) {
  app.add_option("data", flags.file,
                 "CSV or svmlight (.svm, .svmlight, .libsvm) file, may be gzipped; -: CSV on standard input")
      ->required()
      ->type_name("FILE");
  app.add_flag("--no-header", flags.no_header, "the first line is data; columns become c0, c1, ...");
  app.add_option("--delimiter", flags.delimiter, "field separator: one character, or tab (default: detected)")
      ->type_name("CHAR")
      ->check(not_empty);
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
    if (app.get_option_no_throw(flag_of(list[i].name))) continue;  // --metric of a search says what it chooses by
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

io::CsvOptions csv_options(const ReadFlags& flags) {
  io::CsvOptions options;
  options.delimiter = delimiter_of(flags.delimiter);
  options.header = !flags.no_header;
  return options;
}

io::SvmlightOptions svmlight_options(const ReadFlags& flags, const std::vector<std::string>& columns) {
  io::SvmlightOptions options{.zero_based = flags.zero_based};
  for (const std::string& name : columns) {
    // x7 is the eighth column, also if columns before it were left out in training.
    const auto number = name.starts_with('x') ? data::parse_number(std::string_view(name).substr(1)) : std::nullopt;
    while (number && static_cast<double>(options.columns.size()) < *number && *number < io::max_svmlight_columns)
      options.columns.push_back(fmt::format("x{}", options.columns.size()));
    options.columns.push_back(name);
  }
  return options;
}

void refuse_svmlight(const ReadFlags& flags, const std::string& command) {
  if (io::is_svmlight(flags.file))
    throw core::UsageError(fmt::format("{}: {} reads CSV files, not svmlight", flags.file, command));
}

namespace {

/// Columns are matched by position: the first index is the model's first input.
data::Table read_svmlight_for(const model::Model& model, const ReadFlags& flags) {
  std::vector<std::string> names;
  for (const data::Input& input : model.encoder.inputs()) {
    if (input.kind == data::Column::Kind::text || input.format.needs_text())
      throw core::UsageError(
          fmt::format("{}: svmlight files hold numbers, and the model reads texts in '{}'", flags.file, input.name));
    names.push_back(input.name);
  }
  io::SvmlightOptions options = svmlight_options(flags, names);
  if (model.targets.size() == 1) options.label = model.targets.front();
  return io::read_svmlight(flags.file, options);
}

}  // namespace

void note_numeric_header(const data::Table& table, const ReadFlags& flags, const Common& common) {
  if (flags.no_header) return;
  bool fraction = false, all = true, counted = true;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto number = data::parse_number(table.columns[c].name);
    fraction |= number && *number != std::trunc(*number);
    all &= number.has_value();
    counted &= number == static_cast<double>(c);  // some programs name columns 0, 1, 2, ...
  }
  if (fraction || (all && !counted))
    note(common, fmt::format("{}: the header line looks like data; is --no-header missing?", table.source));
}

namespace {

/// Throws DataError or UsageError for a column that the header lacks.
void check_header_for(const model::Model& model, const data::Table& header, const ReadFlags& flags, Targets targets) {
  const data::ColumnIndex index(header);
  for (const auto& input : model.encoder.inputs()) {
    const std::string& name = input.format.is_date() ? input.format.column : input.name;
    if (!index.find(name) && !index.find(input.name))
      throw core::DataError(fmt::format("{}: column '{}' is missing; the model needs it", header.source, name));
  }
  if (targets == Targets::required)
    for (const std::string& name : model.targets) header.require(name);
  for (const std::string& name : {flags.weight_column, flags.offset_column})
    if (!name.empty()) header.require(name);
}

}  // namespace

data::Table read_table_for(const model::Model& model, const ReadFlags& flags, core::Workers& workers, Targets targets) {
  if (io::is_svmlight(flags.file)) return read_svmlight_for(model, flags);
  const io::FileText file(flags.file);
  const std::string source = flags.file == "-" ? "standard input" : flags.file;
  io::CsvOptions options = csv_options(flags);
  options.as_text_if_present = model.targets;
  for (const auto& input : model.encoder.inputs()) {
    const data::TextFormat& format = input.format;
    if (input.kind == data::Column::Kind::text || format.needs_text())
      options.as_text_if_present.push_back(format.is_date() ? format.column : input.name);
    if (options.missing_values.empty()) options.missing_values = format.missing;  // the same for all inputs
  }
  check_header_for(model, io::csv_header(file, source, options), flags, targets);
  data::Table table = io::parse_csv(file, source, options, workers);
  data::apply_formats(table, model.encoder.inputs());
  return table;
}

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw core::FileError(fmt::format("cannot create directory '{}': {}", path, error.message()));
}

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const auto& input : inputs)
    if (std::filesystem::equivalent(path, input, error))
      throw core::UsageError(fmt::format("the output '{}' would overwrite the input '{}'", path, input));
  const auto type = std::filesystem::status(path, error).type();
  // Pipes and devices are opened only once, for the actual output.
  using std::filesystem::file_type;
  if (type == file_type::regular || type == file_type::not_found || type == file_type::directory ||
      type == file_type::none)
    io::AtomicFile probe(path);
}

}  // namespace accrete::cli
