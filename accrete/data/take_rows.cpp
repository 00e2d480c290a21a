#include "accrete/data/take_rows.hpp"

namespace accrete::data {

Table take_rows(const Table& table, std::span<const std::size_t> rows) {
  Table result{.source = table.source, .columns = {}};
  for (const Column& column : table.columns) {
    Column& taken = result.columns.emplace_back(
        Column{.name = column.name, .kind = column.kind, .levels = column.levels, .format = column.format});
    for (const std::size_t r : rows) {
      if (column.kind == Column::Kind::numeric)
        taken.numbers.push_back(column.numbers[r]);
      else
        taken.codes.push_back(column.codes[r]);
      if (!column.exact.empty()) taken.exact.push_back(column.exact[r]);
    }
  }
  return result;
}

}  // namespace accrete::data
