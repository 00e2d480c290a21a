#include "accrete/data/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/data/labels.hpp"
#include "accrete/data/location.hpp"
#include "accrete/data/recognise/decimal_text.hpp"
#include "accrete/data/take_rows.hpp"

namespace accrete::data {
namespace {

constexpr std::size_t max_integer_classes = 20;

/// The task suggested by the labels of a single target, and why.
std::pair<Task, core::Message> choose_task(const LabelSummary& labels) {
  const std::size_t distinct = labels.distinct;
  const Task classes = distinct == 2 ? Task::binary : Task::multiclass;
  if (labels.numbers == 0)
    return {classes, fmt::format("the target has {} distinct labels that are not numbers", distinct)};
  if (labels.not_number)
    return {classes, core::message("the target has {} distinct labels and not all are numbers: '{}' in {}", distinct,
                                   labels.not_number->text, core::row(labels.not_number->first_row))};
  const bool few = distinct <= max_integer_classes;
  if (few && labels.integers)
    return {classes, core::message("the target holds whole numbers with only {} distinct values; "
                                   "use {} to treat them as quantities",
                                   distinct, core::parameter("task", "regression"))};
  return {Task::regression, fmt::format("the target has {}{}", core::counted(distinct, "distinct numeric value"),
                                        few ? ", not all whole" : "")};
}

/// A few texts among many numbers are mistakes, not classes: they would turn every number into a class.
void refuse_text_among_numbers(const Table& table, std::size_t column, const LabelSummary& labels) {
  constexpr std::size_t many = 50, max_share = 20;  // at most one text in 20 labels
  const std::size_t texts = labels.distinct - labels.numbers;
  if (!labels.not_number || labels.numbers <= many || texts * max_share > labels.distinct) return;
  throw core::DataError(core::message(
      "{}: '{}' is not a number, but {} of the target's {} distinct values are; correct it, or use {} to learn classes",
      location(table, labels.not_number->first_row, table.columns[column].name), labels.not_number->text,
      labels.numbers, labels.distinct, core::parameter("task", "multiclass")));
}

void check_columns(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task) {
  if (columns.empty()) throw core::UsageError("no target column is given");
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (std::find(columns.begin(), columns.begin() + i, columns[i]) != columns.begin() + i)
      throw core::UsageError(fmt::format("the target column '{}' is given twice", table.columns[columns[i]].name));
  for (const std::size_t c : columns)
    if (table.columns[c].sparse)
      throw core::UsageError(
          fmt::format("{}: the target column '{}' is sparse; it must be dense", table.source, table.columns[c].name));
  if (columns.size() > 1 && task && *task != Task::regression)
    throw core::UsageError(
        fmt::format("the task {} takes one target column, not {}", task_name(*task), columns.size()));
}

/// rows x columns numbers.
core::Matrix<double> read_all_numbers(const Table& table, std::span<const std::size_t> columns) {
  core::Matrix<double> values(table.rows(), columns.size());
  for (std::size_t t = 0; t < columns.size(); ++t) {
    const auto numbers = read_numbers(table, columns[t]);
    for (std::size_t r = 0; r < values.rows(); ++r) values(r, t) = numbers[r];
  }
  return values;
}

void read_classes(const Table& table, const Column& column, const Labels& labels, Target& target) {
  if (labels.all_numbers()) refuse_infinity(table, column, labels);
  Classes classes = sort_classes(labels);
  const bool chosen = !target.reason.empty();  // inferred, not given by the caller
  if (classes.names.size() < 2)
    throw core::DataError(
        core::message("{} has a single class, '{}'{}", target_subject(table, column.name), classes.names.front(),
                      chosen && labels.all_numbers()
                          ? core::message("; {} learns it as a number", core::parameter("task", "regression"))
                          : core::Message()));
  if (target.task == Task::binary && classes.names.size() > 2)
    throw core::UsageError(
        fmt::format("the task binary takes 2 classes, but the target '{}' has {}", column.name, classes.names.size()));
  target.values = core::Matrix<double>(table.rows(), 1);
  for (std::size_t r = 0; r < table.rows(); ++r)
    target.values(r, 0) = static_cast<double>(classes.of_label[labels.of_row[r]]);
  target.classes = std::move(classes.names);
}

/// True if label and class are the same number.
bool same_number(const Label& label, const std::string& name, Column::Kind kind) {
  const auto number = parse_number(name);
  if (!number || !label.number) return false;
  // A numeric column stores floats, so the class is rounded to float as well.
  if (kind == Column::Kind::numeric) return static_cast<float>(*number) == *label.number;
  return !std::isnan(*number) && compare({name, *number}, {label.text, *label.number}) == 0;
}

/// Index of the class that matches the label, compared as text, then as number; classes.size() if there is none, or if
/// rounding to float makes it ambiguous.
std::size_t match_class(const Label& label, std::span<const std::string> classes, Column::Kind kind) {
  const auto is_class = [&](const std::string& name) { return same_number(label, name, kind); };
  auto found = std::find(classes.begin(), classes.end(), label.text);
  if (found == classes.end() && (kind == Column::Kind::text || std::ranges::count_if(classes, is_class) == 1))
    found = std::ranges::find_if(classes, is_class);
  return static_cast<std::size_t>(found - classes.begin());
}

/// A class without weighted rows would get meaningless probabilities.
void refuse_weightless_class(const Table& table, const Target& target, std::span<const double> weights) {
  std::vector<char> weighted(target.classes.size(), 0);
  for (std::size_t r = 0; r < weights.size() && !weighted.empty(); ++r)
    if (weights[r] > 0.0) weighted[static_cast<std::size_t>(target.values(r, 0))] = 1;
  for (std::size_t k = 0; k < weighted.size(); ++k)
    if (!weighted[k])
      throw core::DataError(fmt::format("{} has weight 0 in all rows of the class '{}'",
                                        target_subject(table, target.names.front()), target.classes[k]));
}

[[noreturn]] void throw_unknown_class(const Table& table, std::size_t column, const KnownTarget& target,
                                      std::span<const std::string> classes) {
  throw core::DataError(core::message("{}: the model does not know the class '{}'; it knows {}",
                                      location(table, target.unknown.front(), table.columns[column].name),
                                      target.labels.front(), list_names(classes)));
}

}  // namespace

std::string list_names(std::span<const std::string> names) {
  constexpr std::size_t shown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) text += (i ? ", " : "") + names[i];
  return names.size() > shown ? text + ", ..." : text;
}

const char* task_name(Task task) {
  switch (task) {
    case Task::regression:
      return "regression";
    case Task::binary:
      return "binary";
    case Task::multiclass:
      return "multiclass";
  }
  return "";
}

Task task_named(std::string_view name) {
  for (const Task task : {Task::regression, Task::binary, Task::multiclass})
    if (name == task_name(task)) return task;
  constexpr const char* names = "regression, binary, multiclass";
  throw core::UsageError(fmt::format("unknown task '{}'; allowed: {}{}", name, names, core::did_you_mean(name, names)));
}

Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task) {
  check_columns(table, columns, task);
  if (table.rows() < 2)
    throw core::DataError(fmt::format("{}: training needs at least 2 rows, not {}", table.source, table.rows()));
  Target target;
  for (const std::size_t c : columns) target.names.push_back(table.columns[c].name);
  if (task) {
    target.task = *task;
  } else if (columns.size() > 1) {
    target.reason = fmt::format("there are {} target columns", columns.size());
  } else {
    const LabelSummary labels = summarise_labels(table, columns.front());
    refuse_text_among_numbers(table, columns.front(), labels);
    std::tie(target.task, target.reason) = choose_task(labels);
  }

  if (target.task != Task::regression) {
    read_classes(table, table.columns[columns.front()], read_labels(table, columns.front()), target);
  } else {
    target.values = read_all_numbers(table, columns);
  }
  return target;
}

Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task,
                   std::span<const double> weights) {
  Target all = read_target(table, columns, task);
  if (std::ranges::all_of(weights, [](double w) { return w > 0.0; })) return all;
  refuse_weightless_class(table, all, weights);
  std::vector<std::size_t> rows, all_columns(columns.size());
  for (std::size_t r = 0; r < weights.size(); ++r)
    if (weights[r] > 0.0) rows.push_back(r);
  std::iota(all_columns.begin(), all_columns.end(), std::size_t{0});
  Target target = read_target(take_rows(table, rows, columns), all_columns, task);
  core::Matrix<double> values(table.rows(), target.values.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(target.values.row(i), values.row(rows[i]).begin());
  target.values = std::move(values);
  return target;
}

core::Matrix<double> read_target_as(const Table& table, std::span<const std::size_t> columns, Task task,
                                    std::span<const std::string> classes) {
  KnownTarget target = read_known_target(table, columns, task, classes);
  if (!target.unknown.empty()) throw_unknown_class(table, columns.front(), target, classes);
  return std::move(target.values);
}

KnownTarget read_known_target(const Table& table, std::span<const std::size_t> columns, Task task,
                              std::span<const std::string> classes) {
  check_columns(table, columns, task);
  if (task == Task::regression) return {read_all_numbers(table, columns), {}};
  const Column& column = table.columns[columns.front()];
  const Labels labels = read_labels(table, columns.front());
  KnownTarget target{core::Matrix<double>(table.rows(), 1), {}};
  std::vector<std::size_t> class_of;
  for (const auto& label : labels.labels) {
    class_of.push_back(match_class(label, classes, column.kind));
    if (class_of.back() == classes.size()) target.labels.push_back(label.text);
  }
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const std::size_t k = class_of[labels.of_row[r]];
    if (k == classes.size())
      target.unknown.push_back(r);
    else
      target.values(r, 0) = static_cast<double>(k);
  }
  if (target.unknown.size() == table.rows() && table.rows() > 0)
    throw_unknown_class(table, columns.front(), target, classes);
  return target;
}

}  // namespace accrete::data
