#include "accrete/tune/problem.hpp"

#include <fmt/format.h>

#include <bit>

#include "accrete/core/error.hpp"
#include "accrete/tune/stable_hash.hpp"

namespace accrete::tune {
namespace {

void add_column(StableHash& hash, const data::Column& column) {
  hash.add(column.name).add(column.kind == data::Column::Kind::text ? 1 : 0);
  for (const auto& level : column.levels) hash.add(level);
  for (const std::int32_t code : column.codes) hash.add(static_cast<std::uint32_t>(code));
  for (const float x : column.numbers) hash.add(std::bit_cast<std::uint32_t>(x + 0.0f));  // -0 is 0
  for (const double x : column.exact) hash.add(std::bit_cast<std::uint64_t>(x + 0.0));
}

/// data::k_folds would say so too, but knows a class by its number only.
void check_classes(const Problem& problem, std::span<const double> labels, std::size_t folds) {
  std::vector<std::size_t> rows(problem.target.classes.size(), 0);
  for (const double label : labels) ++rows[static_cast<std::size_t>(label)];
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] < folds)
      throw core::DataError(fmt::format("{}: the class '{}' has {} rows, fewer than the {} folds", problem.table.source,
                                        problem.target.classes[k], rows[k], folds));
}

}  // namespace

Problem read_problem(const data::Table& table, const std::vector<std::string>& targets,
                     std::optional<data::Task> task) {
  if (table.columns.empty()) throw core::DataError(table.source + ": no columns");
  std::vector<std::size_t> columns;
  for (const auto& name : targets) columns.push_back(table.require(name));
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
  if (how.folds >= 2 && !labels.empty()) check_classes(problem, labels, how.folds);
  auto splits = data::k_folds(rows.size(), labels, how.folds, how.seed, how.repeat);
  for (data::Split& split : splits)
    for (auto* part : {&split.train, &split.test})
      for (std::size_t& row : *part) row = rows[row];
  return splits;
}

}  // namespace accrete::tune
