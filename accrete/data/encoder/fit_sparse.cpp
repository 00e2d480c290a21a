#include "accrete/data/encoder/fit_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrete::data {
namespace {

/// Columns with entries in a smaller share of the rows are scaled as if they had this share.
constexpr double min_share = 0.01;

}  // namespace

RowWeights::RowWeights(const Table& table, const WeightedRows& from)
    : of_row(table.rows(), 0.0), count(from.rows.size()) {
  for (const std::size_t r : from.rows) {
    of_row[r] += from.weight(r);
    total += from.weight(r);
  }
}

Input fit_sparse(const Column& column, const RowWeights& from, const EncoderOptions& options) {
  Input input{.name = column.name, .format = column.format};
  if (!options.standardise) return input;
  const SparseNumbers& numbers = *column.sparse;
  double weight = 0.0, sum = 0.0;
  float low = std::numeric_limits<float>::infinity(), high = -low;
  std::size_t rows = 0;
  for (std::size_t e = 0; e < numbers.rows.size(); ++e) {
    const double w = from.of_row[numbers.rows[e]], x = numbers.values[e];
    if (!(w > 0.0)) continue;
    weight += w, sum += w * x;
    low = std::min(low, numbers.values[e]), high = std::max(high, numbers.values[e]);
    ++rows;
  }
  if (rows < from.count) low = std::min(low, 0.0f), high = std::max(high, 0.0f);
  if (!(low < high)) {
    input.scale = no_spread;
    return input;
  }
  const double share = std::max(weight / from.total, min_share), mean = share * sum / weight;
  double spread = 0.0;  // two passes, as for dense columns
  for (std::size_t e = 0; e < numbers.rows.size(); ++e) {
    const double x = numbers.values[e] - mean;
    spread += from.of_row[numbers.rows[e]] * x * x;
  }
  const double sd = std::sqrt(share * spread / weight + (1.0 - share) * mean * mean);
  input.scale = sd > 0.0 && std::isfinite(sd) ? sd : 1.0;
  return input;
}

}  // namespace accrete::data
