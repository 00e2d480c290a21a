#include "cli/support/training_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "accrete/boosting/check_options.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/comm/recognise_share.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"
#include "accrete/data/recognise.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/io/csv_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/read_files.hpp"
#include "cli/support/shell_quote.hpp"

namespace accrete::cli {
namespace {

using Names = std::vector<std::string>;

/// Resolves columns that a flag lists by name or index. Throws UsageError for an unknown one.
Names names_of(const data::Table& header, const Names& given) {
  Names names;
  for (const std::string& column : given) names.push_back(header.columns[header.require(column)].name);
  return names;
}

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Determines the columns' roles; the table has no rows yet.
TrainingData find_roles(data::Table header, const ReadFlags& flags, const TargetFlags& target, const Names& ignored) {
  TrainingData data;
  data.targets = names_of(header, target.targets);
  data.categorical = names_of(header, target.categorical);
  if (!flags.weight_column.empty()) data.weight_column = names_of(header, {flags.weight_column}).front();
  if (!flags.offset_column.empty()) data.offset_column = names_of(header, {flags.offset_column}).front();
  for (std::size_t c = header.columns.size(); c-- > 0 && data.targets.empty();)
    if (!contains(ignored, header.columns[c].name)) data.targets.push_back(header.columns[c].name);
  if (data.targets.empty()) throw core::UsageError("--ignore: leaves no column as the target");
  for (const std::string& name : ignored)
    if (contains(data.targets, name) || name == data.weight_column || name == data.offset_column)
      throw core::UsageError(fmt::format("--ignore {}: the column is the {}", name,
                                         name == data.weight_column   ? "weight column"
                                         : name == data.offset_column ? "offset column"
                                                                      : "target"));
  data.table = std::move(header);
  return data;
}

void check_header(const TrainingData& data, const Names& ignored, const HeaderChecks& checks, const ReadFlags& flags) {
  data::Table used{data.table.source, data.table.columns};
  std::erase_if(used.columns, [&](const data::Column& column) { return contains(ignored, column.name); });
  const auto targets = boosting::target_columns(used, data.targets);
  Names columns;
  for (const std::size_t c : boosting::feature_columns(used, targets, {data.weight_column, data.offset_column}))
    columns.push_back(used.columns[c].name);
  boosting::check_constrained_columns(checks.given, columns);
  if (checks.validation.empty() || checks.validation == "-") return;
  const data::Table validation = io::csv_header(io::FileText(checks.validation), checks.validation, csv_options(flags));
  for (const std::string& name : data.targets) validation.require(name);
}

/// Lists a few columns and counts the others, because a file may have thousands.
template <class Column, class Show>
void note_columns(const std::vector<Column>& columns, const Common& common, const Show& show) {
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(columns.size(), shown); ++i) note(common, show(columns[i]));
  if (columns.size() > shown)
    note(common, fmt::format("the same applies to {}", core::counted(columns.size() - shown, "more column")));
}

/// "--missing-values '-,.' or ", if the texts are few and the flag can express them.
std::string advise_missing(const Names& texts) {
  constexpr std::size_t max_texts = 4;
  const bool has_comma = std::ranges::any_of(texts, [](const auto& text) { return text.find(',') != text.npos; });
  if (has_comma || texts.size() > max_texts) return "";
  return fmt::format("--missing-values {} or ", shell_quoted(fmt::format("{}", fmt::join(texts, ","))));
}

void note_recognised(const data::RecognisedColumns& found, const Common& common) {
  note_columns(found.converted, common, [](const data::ConvertedColumn& column) {
    return fmt::format("column '{}' is read as {}: '{}' is {}", column.name, column.is_date ? "dates" : "numbers",
                       column.text, column.reading);
  });
  note_columns(found.numeric, common, [](const data::NumericColumn& column) {
    return fmt::format("column '{}': {} of {} are not numbers and count as missing", column.name, column.missing,
                       core::counted(column.values, "value"));
  });
  note_columns(found.nearly_numeric, common, [](const data::NearlyNumericColumn& column) {
    return core::message(
        "column '{}' is text because of '{}' in {}; {} of {} values are numbers; to read them as numbers, use "
        "{}--numeric {}",
        column.name, column.text, core::row(column.row), column.numbers, column.values, advise_missing(column.others),
        shell_quoted(column.name));
  });
  note_columns(found.identifiers, common, [](const std::string& name) {
    return fmt::format("column '{}' has a different text in each row and is left out; to use it, add --categorical {}",
                       name, shell_quoted(name));
  });
}

Names joined(Names a, const Names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The columns of an svmlight file, all but the labels.
Names svmlight_names(const TrainingData& training) {
  Names names;
  for (const data::Column& column : training.table.columns)
    if (column.sparse) names.push_back(column.name);
  return names;
}

/// svmlight columns are numbers, so nothing needs to be recognised.
TrainingData read_svmlight_data(const ReadFlags& flags, const TargetFlags& target) {
  if (!target.categorical.empty() || !target.numeric.empty() || !target.missing_values.empty())
    throw core::UsageError(
        fmt::format("{}: --categorical, --numeric and --missing-values are for CSV files", flags.file));
  data::Table table = io::read_svmlight(flags.file, svmlight_options(flags));
  const Names ignored = names_of(table, target.ignore);
  TrainingData data = find_roles(std::move(table), flags, target, ignored);
  std::erase_if(data.table.columns, [&](const data::Column& column) { return contains(ignored, column.name); });
  return data;
}

}  // namespace

TrainingData read_training_data(const ReadFlags& flags, const TargetFlags& target, const Common& common,
                                core::Workers& workers, const HeaderChecks& checks) {
  if (io::is_svmlight(flags.file)) {
    refuse_svmlight_on_ranks(flags, checks.comm);
    return read_svmlight_data(flags, target);
  }
  const std::string source = flags.file == "-" ? "standard input" : flags.file;
  const io::CsvFiles files(files_of(flags.file, checks.comm), source, checks.comm);
  io::CsvOptions options = csv_options(flags);
  data::Table header = files.header(options);
  note_numeric_header(header, flags, common);
  const Names ignored = names_of(header, target.ignore);
  options.missing_values = target.missing_values;
  data::RecogniseOptions recognise{.numeric = names_of(header, target.numeric),
                                   .missing_values = target.missing_values};
  TrainingData data = find_roles(std::move(header), flags, target, ignored);
  std::ranges::remove_copy(ignored, std::back_inserter(options.ignore), flags.group_column);
  if (contains(ignored, flags.group_column)) data.ignore.push_back(flags.group_column);
  check_header(data, ignored, checks, flags);
  options.as_text = joined(joined(data.targets, data.categorical), data.ignore);
  data.table = files.read(options, workers);
  recognise.keep = options.as_text;
  for (const std::string& column : {data.weight_column, data.offset_column})
    if (!column.empty()) recognise.keep.push_back(column);
  note_recognised(comm::recognise_columns(data.table, recognise, checks.comm), common);
  return data;
}

TrainingData read_all_rows(const ReadFlags& flags, const TargetFlags& target, const Common& common,
                           core::Workers& workers, const HeaderChecks& checks) {
  TrainingData data;
  comm::agree(checks.comm, [&] {
    if (checks.comm.size() > 1 && flags.file == "-")
      throw core::UsageError("standard input cannot be read by several ranks; name a file");
    data = read_training_data(flags, target, common, workers, {.given = checks.given, .validation = checks.validation});
  });
  return data;
}

data::Table read_validation_data(const std::string& path, const TrainingData& training, const ReadFlags& flags,
                                 core::Workers& workers) {
  if (io::is_svmlight(path) != io::is_svmlight(flags.file))
    throw core::UsageError(fmt::format("'{}' and '{}' must both be svmlight files, or both CSV", path, flags.file));
  if (io::is_svmlight(path)) return io::read_svmlight(path, svmlight_options(flags, svmlight_names(training)));
  io::CsvOptions options = csv_options(flags);
  options.as_text = training.targets;
  options.as_text_if_present = training.categorical;
  for (const data::Column& column : training.table.columns) {
    const data::TextFormat& format = column.format;
    if (format.needs_text()) options.as_text_if_present.push_back(format.is_date() ? format.column : column.name);
    if (options.missing_values.empty()) options.missing_values = format.missing;  // the same for all columns
  }
  data::Table table = io::read_csv(path, options, workers);
  data::apply_formats(table, training.table);
  return table;
}

}  // namespace accrete::cli
