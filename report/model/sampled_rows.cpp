#include "report/model/sampled_rows.hpp"

#include <algorithm>

#include "accrete/data/column_index.hpp"

namespace accrete::report {

data::Column select(const data::Column& from, std::span<const std::size_t> rows) {
  data::Column column{from.name, from.kind, {}, {}, from.levels};
  for (const std::size_t r : rows)
    if (from.kind == data::Column::Kind::numeric)
      column.numbers.push_back(from.numbers[r]);
    else
      column.codes.push_back(from.codes[r]);
  return column;
}

SampledRows::SampledRows(const LabelledRows& data, std::span<const std::size_t> rows)
    : targets(rows.size(), data.targets.cols()) {
  table.source = data.table.source;
  const data::ColumnIndex index(data.table);
  for (const auto& input : data.model.encoder.inputs())
    if (const auto place = index.find(input.name)) table.columns.push_back(select(data.table.columns[*place], rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(data.targets.row(rows[i]), targets.row(i).begin());
    if (!data.weights.empty()) weights.push_back(data.weights[rows[i]]);
  }
}

}  // namespace accrete::report
