#include "accrete/data/take_rows.hpp"

#include <numeric>
#include <vector>

namespace accrete::data {

Column take_rows(const Column& column, std::span<const std::size_t> rows) {
  Column taken{.name = column.name, .kind = column.kind, .levels = column.levels, .format = column.format};
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
  Table result{.source = table.source, .columns = {}};
  for (const std::size_t c : columns) result.columns.push_back(take_rows(table.columns[c], rows));
  return result;
}

}  // namespace accrete::data
