#include "accrete/data/row_groups.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace accrete::data {

RowGroups read_groups(const Column& column) {
  RowGroups groups;
  groups.of_row.reserve(column.size());
  if (column.kind == Column::Kind::text) {
    groups.names = column.levels;
    for (const auto code : column.codes)
      groups.of_row.push_back(code < 0 ? groups.names.size() : static_cast<std::size_t>(code));
    return groups;
  }
  const auto number = [&](std::size_t row) { return column.sparse ? column.sparse->at(row) : column.numbers[row]; };
  std::unordered_map<float, std::size_t> index;
  for (std::size_t r = 0; r < column.size(); ++r) {
    const float x = number(r);
    if (std::isnan(x)) continue;
    if (index.try_emplace(x, groups.names.size()).second) groups.names.push_back(fmt::format("{}", x));
  }
  for (std::size_t r = 0; r < column.size(); ++r) {
    const float x = number(r);
    groups.of_row.push_back(std::isnan(x) ? groups.names.size() : index.at(x));
  }
  return groups;
}

}  // namespace accrete::data
