#include "accrete/tune/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/stable_hash.hpp"

namespace accrete::tune {
namespace {

void add_column(StableHash& hash, const data::Column& column) {
  hash.add(column.name).add(column.kind == data::Column::Kind::text ? 1 : 0);
  for (const auto& level : column.levels) hash.add(level);
  for (const std::int32_t code : column.codes) hash.add(static_cast<std::uint32_t>(code));
  for (const float x : column.numbers) hash.add(std::bit_cast<std::uint32_t>(x + 0.0f));  // -0 is 0
  if (column.sparse) {
    for (const std::uint32_t row : column.sparse->rows) hash.add(row);
    for (const float x : column.sparse->values) hash.add(std::bit_cast<std::uint32_t>(x));
  }
  for (const double x : column.exact) hash.add(std::bit_cast<std::uint64_t>(x + 0.0));
}

/// Number of rows per class, for the labels of all rows or of some.
std::vector<std::size_t> rows_by_class(const Problem& problem, std::span<const double> labels) {
  std::vector<std::size_t> rows(problem.target.classes.size(), 0);
  for (const double label : labels) ++rows[static_cast<std::size_t>(label)];
  return rows;
}

std::string too_few(const Problem& problem, std::size_t label, std::size_t rows, std::size_t folds) {
  return fmt::format("the class '{}' has {}, fewer than the {} folds", problem.target.classes[label],
                     core::counted(rows, "row"), folds);
}

/// data::k_folds would report the same, but knows a class only by its number.
void check_classes(const Problem& problem, std::span<const double> labels, const Folds& how) {
  const auto rows = rows_by_class(problem, labels);
  const auto few = std::ranges::find_if(rows, [&](std::size_t n) { return n < how.folds; });
  const auto most = std::ranges::max_element(rows);
  if (how.every_class ? few == rows.end() : *most >= how.folds) return;
  const auto blamed = how.every_class ? few : most;
  throw core::DataError(problem.table.source + ": " +
                        too_few(problem, static_cast<std::size_t>(blamed - rows.begin()), *blamed, how.folds) +
                        (how.every_class ? ", each of which needs a row of every class" : "") + "; use fewer folds");
}

}  // namespace

Problem read_problem(const data::Table& table, const std::vector<std::string>& targets,
                     std::optional<data::Task> task) {
  if (table.columns.empty()) throw core::DataError(table.source + ": no columns");
  std::vector<std::size_t> columns(targets.size());
  std::ranges::transform(targets, columns.begin(), [&](const std::string& name) { return table.require(name); });
  if (columns.empty()) columns.push_back(table.columns.size() - 1);
  return {table, data::read_target(table, columns, task)};
}

std::uint64_t fingerprint(const Problem& problem) {
  StableHash hash;
  hash.add(problem.table.rows()).add(problem.table.columns.size());
  for (const data::Column& column : problem.table.columns) add_column(hash, column);
  hash.add(data::task_name(problem.target.task));
  for (const auto& name : problem.target.names) hash.add(name);
  return hash.value();
}

std::vector<data::Split> draw_folds(const Problem& problem, std::span<const std::size_t> rows, const Folds& how) {
  std::vector<double> labels;
  if (!problem.target.classes.empty())
    for (const std::size_t row : rows) labels.push_back(problem.target.values(row, 0));
  if (how.folds >= 2 && !labels.empty()) check_classes(problem, labels, how);
  auto splits = data::k_folds(rows.size(), labels, how.folds, how.seed, how.repeat);
  for (data::Split& split : splits)
    for (auto* part : {&split.train, &split.test})
      for (std::size_t& row : *part) row = rows[row];
  return splits;
}

std::optional<std::string> note_scarce_class(const Problem& problem, std::size_t folds) {
  if (problem.target.classes.empty()) return std::nullopt;
  const auto rows = rows_by_class(problem, problem.target.values.flat());
  const auto least = std::ranges::min_element(rows);
  if (*least >= folds) return std::nullopt;
  return too_few(problem, static_cast<std::size_t>(least - rows.begin()), *least, folds) +
         (*least == 1 ? ": the fold that tests this row trains without the class; add rows of the class"
                      : ": some folds test no row of it; use fewer folds, or add rows of the class");
}

}  // namespace accrete::tune
