#include "accrete/network/predict_tables.hpp"

#include <algorithm>
#include <limits>

namespace accrete::network {

bool prefers_tables(const data::Encoder& encoder) {
  // Measured costs, relative to a dense feature: 5 per piecewise column, 2 per other column, 5 per row and unit.
  constexpr std::size_t piecewise_cost = 5, other_cost = 2, row_cost = 5;
  // Offsets within a group have 32 bits. A column has at most 3 entries more than features, of 2 x width floats each.
  constexpr std::size_t max_entries = std::numeric_limits<std::uint32_t>::max() / (2 * PredictTables::width);
  const std::size_t features = encoder.features(), columns = encoder.columns().size();
  if (features <= other_cost * columns || features + 3 * columns >= max_entries) return false;
  std::size_t cost = row_cost;
  for (const data::ColumnEncoding& column : encoder.columns())
    cost += column.width() > 1 && column.find<data::Standardised>() ? piecewise_cost : other_cost;
  return features > cost;
}

PredictTables::PredictTables(const data::Encoder& encoder, const Network& network)
    : encoder_(encoder.content()), network_(network.content()) {
  layout_.outputs = network.outputs();
  layout_.activation = network.activation().index;
  layout_.exact_activation = network.exact_activation();
  layout_.group_size = width;
  add_columns(encoder, ColumnLookup::Kind::linear, layout_.linear);
  add_columns(encoder, ColumnLookup::Kind::piecewise, layout_.piecewise);
  add_columns(encoder, ColumnLookup::Kind::levels, layout_.levels);
  layout_.group_size += layout_.outputs * width;
  values_.resize(network.interleaved().groups() * layout_.group_size);
  layout_.values = values_.data();
  fill(encoder, network);
}

void PredictTables::add_columns(const data::Encoder& encoder, ColumnLookup::Kind kind, std::size_t& count) {
  for (std::size_t i = 0; i < encoder.columns().size(); ++i) {
    if (encoder.columns()[i].width() == 0) continue;
    ColumnLookup lookup(encoder.columns()[i]);
    if (lookup.kind() != kind) continue;
    const std::size_t size = lookup.size();
    columns_.push_back({i, static_cast<std::uint32_t>(layout_.group_size), std::move(lookup)});
    layout_.group_size += size;
    ++count;
  }
}

void PredictTables::fill(const data::Encoder& encoder, const Network& network) {
  const std::size_t outputs = layout_.outputs;
  for (std::size_t first = 0; first < network.units(); first += width) {
    const float* from = network.interleaved().group(first / width);
    float* to = values_.data() + first / width * layout_.group_size;
    std::copy_n(from, width, to);
    for (const Column& column : columns_) {
      const data::ColumnEncoding& encoding = encoder.columns()[column.input];
      column.lookup.fill(encoding, from + (1 + encoding.first()) * width, to + column.table);
    }
    float* weights = to + layout_.group_size - outputs * width;
    const std::size_t units = std::min(width, network.units() - first);
    for (std::size_t k = 0; k < outputs; ++k)
      for (std::size_t u = 0; u < units; ++u)
        weights[k * width + u] = network.output_weights()[(first + u) * outputs + k];
  }
}

}  // namespace accrete::network
