#include "report/model/sampled_rows.hpp"

#include <algorithm>

#include "accrete/data/column_index.hpp"
#include "accrete/data/take_rows.hpp"

namespace accrete::report {

SampledRows::SampledRows(const LabelledRows& data, std::span<const std::size_t> rows)
    : targets(rows.size(), data.targets.cols()) {
  table.source = data.table.source;
  const data::ColumnIndex index(data.table);
  for (const auto& input : data.model.encoder.inputs())
    if (const auto place = index.find(input.name))
      table.columns.push_back(data::take_rows(data.table.columns[*place], rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(data.targets.row(rows[i]), targets.row(i).begin());
    if (!data.weights.empty()) weights.push_back(data.weights[rows[i]]);
    if (!data.offsets.empty()) offsets.push_back(data.offsets[rows[i]]);
  }
}

}  // namespace accrete::report
