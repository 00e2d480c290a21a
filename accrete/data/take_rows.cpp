#include "accrete/data/take_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace accrete::data {
namespace {

/// Costs entries + rows, not entries x rows.
SparseNumbers take_sparse(const SparseNumbers& from, std::span<const std::size_t> rows) {
  SparseNumbers taken;
  taken.size = rows.size();
  if (!std::ranges::is_sorted(rows)) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (const float x = from.at(rows[i]); x != 0.0f)
        taken.rows.push_back(static_cast<std::uint32_t>(i)), taken.values.push_back(x);
    return taken;
  }
  for (std::size_t e = 0; e < from.rows.size(); ++e)
    for (auto i = std::ranges::lower_bound(rows, from.rows[e]); i != rows.end() && *i == from.rows[e]; ++i)
      taken.rows.push_back(static_cast<std::uint32_t>(i - rows.begin())), taken.values.push_back(from.values[e]);
  return taken;
}

}  // namespace

Column take_rows(const Column& column, std::span<const std::size_t> rows) {
  Column taken{.name = column.name, .kind = column.kind, .levels = column.levels, .format = column.format};
  if (column.sparse) {
    taken.sparse = take_sparse(*column.sparse, rows);
    return taken;
  }
  for (const std::size_t r : rows) {
    if (column.kind == Column::Kind::numeric)
      taken.numbers.push_back(column.numbers[r]);
    else
      taken.codes.push_back(column.codes[r]);
    if (!column.exact.empty()) taken.exact.push_back(column.exact[r]);
  }
  return taken;
}

Table take_rows(const Table& table, std::span<const std::size_t> rows) {
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return take_rows(table, rows, columns);
}

Table take_rows(const Table& table, std::span<const std::size_t> rows, std::span<const std::size_t> columns) {
  Table result{.source = table.source, .columns = {}, .target_argument = table.target_argument};
  for (const std::size_t c : columns) result.columns.push_back(take_rows(table.columns[c], rows));
  return result;
}

}  // namespace accrete::data
