#include "accrete/data/encoder/encode_sparse.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "accrete/data/column_index.hpp"
#include "accrete/data/encoder/feature_writer.hpp"

namespace accrete::data {
namespace {

bool keeps_zero(const ColumnEncoding& encoding) {
  const Standardised* number = encoding.get<Standardised>();
  return number && number->mean == 0.0 && encoding.width() == 1;
}

/// Calls visit(feature column, encoding, numbers) for each sparse input in order.
template <class Visit>
void for_sparse_inputs(const Encoder& encoder, const Table& table, const std::vector<bool>& inputs,
                       const Visit& visit) {
  const ColumnIndex index(table);
  std::uint32_t column = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i]) visit(column++, encoder.columns()[i], *table.columns[*index.find(encoder.inputs()[i].name)].sparse);
}

}  // namespace

std::vector<bool> sparse_inputs(const Encoder& encoder, const Table& table) {
  std::vector<bool> result(encoder.inputs().size(), false);
  if (!has_sparse_columns(table)) return result;
  const ColumnIndex index(table);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto at = index.find(encoder.inputs()[i].name);
    result[i] = at && table.columns[*at].sparse && keeps_zero(encoder.columns()[i]);
  }
  return result;
}

bool is_all_sparse(const Encoder& encoder, const Table& table) {
  const std::vector<bool> sparse = sparse_inputs(encoder, table);
  return !sparse.empty() && std::ranges::find(sparse, false) == sparse.end();
}

SparseRows encode_sparse(const Encoder& encoder, const Table& table, const std::vector<bool>& inputs) {
  SparseRows result;
  result.columns = static_cast<std::size_t>(std::ranges::count(inputs, true));
  result.starts.assign(table.rows() + 1, 0);
  for_sparse_inputs(encoder, table, inputs, [&](std::uint32_t, const ColumnEncoding&, const SparseNumbers& numbers) {
    for (const std::uint32_t row : numbers.rows) ++result.starts[row + 1];
  });
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  result.indices.resize(result.starts.back());
  result.values.resize(result.starts.back());
  std::vector<std::size_t> next = result.starts;
  for_sparse_inputs(encoder, table, inputs,
                    [&](std::uint32_t column, const ColumnEncoding& encoding, const SparseNumbers& numbers) {
                      for (std::size_t e = 0; e < numbers.rows.size(); ++e) {
                        const std::size_t to = next[numbers.rows[e]]++;
                        result.indices[to] = column;
                        write_row(encoding, numbers.values[e], &result.values[to]);
                      }
                    });
  return result;
}

Encoder dense_encoder(const Encoder& encoder, const std::vector<bool>& sparse) {
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < sparse.size(); ++i)
    if (!sparse[i]) inputs.push_back(encoder.inputs()[i]);
  return Encoder(std::move(inputs));
}

std::vector<bool> sparse_features(const Encoder& encoder, const std::vector<bool>& inputs) {
  std::vector<bool> result;
  result.reserve(encoder.features());
  for (std::size_t i = 0; i < inputs.size(); ++i) result.insert(result.end(), encoder.columns()[i].width(), inputs[i]);
  return result;
}

bool has_sparse_columns(const Table& table) {
  return std::ranges::any_of(table.columns, [](const Column& column) { return column.sparse.has_value(); });
}

}  // namespace accrete::data
