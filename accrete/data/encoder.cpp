#include "accrete/data/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/data/encode_column.hpp"

namespace accrete::data {
namespace {

/// The scale of a column that is the same in every row: nothing is left of a value divided by it.
constexpr double no_spread = 1e24;

/// Two passes: the one-pass formula loses all digits when the mean is large beside the spread.
void fit_numeric(Input& input, std::span<const float> values, const WeightedRows& from) {
  double sum = 0.0, weight = 0.0;
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const std::size_t r : from.rows) {
    const float x = values[r];
    if (std::isnan(x)) {
      input.indicator = true;
      continue;
    }
    sum += from.weight(r) * x, weight += from.weight(r);
    low = std::min(low, x), high = std::max(high, x);
  }
  if (!(low < high)) {  // told by the values: a weighted mean of equal numbers need not be that number
    if (weight > 0.0) input.mean = 0.0 + low;  // never -0
    // Units keep their first weights on a feature that never moved: whatever comes later must not move it either.
    input.scale = no_spread;
    input.indicator = input.indicator && weight > 0.0;
    return;
  }
  input.mean = sum / weight;
  double squares = 0.0;
  for (const std::size_t r : from.rows)
    if (!std::isnan(values[r])) squares += from.weight(r) * (values[r] - input.mean) * (values[r] - input.mean);
  const double sd = std::sqrt(squares / weight);
  input.scale = sd > 0.0 && std::isfinite(sd) ? sd : 1.0;
}

/// Sorted, so that the features do not depend on the order of the rows.
void fit_text(Input& input, const Column& column, const WeightedRows& from) {
  std::vector<double> weight(column.levels.size(), 0.0);
  std::vector<std::size_t> order;
  double total = 0.0;
  for (const std::size_t r : from.rows) {
    total += from.weight(r);
    if (column.codes[r] < 0)
      input.indicator = true;
    else
      weight[static_cast<std::size_t>(column.codes[r])] += from.weight(r);
  }
  for (std::size_t l = 0; l < weight.size(); ++l)
    if (weight[l] > 0.0) order.push_back(l);
  std::ranges::sort(order, {}, [&](std::size_t l) -> const std::string& { return column.levels[l]; });
  for (const std::size_t l : order) {
    input.levels.push_back(column.levels[l]);
    input.shares.push_back(weight[l] / total);
  }
}

Input fit_input(const Table& table, const Column& column, const WeightedRows& from, bool standardise) {
  Input input;
  input.name = column.name;
  input.kind = column.kind;
  if (column.kind == Column::Kind::text) {
    fit_text(input, column, from);
    if (!standardise) std::ranges::fill(input.shares, 0.0);
    return input;
  }
  for (const std::size_t r : from.rows)
    if (std::isinf(column.numbers[r])) throw_infinite(table, column, r);
  fit_numeric(input, column.numbers, from);
  // Left in its own units a column has no shift to stand for the mean: a gap becomes 0, and the indicator
  // tells.
  if (!standardise) input.mean = 0.0, input.scale = 1.0;
  return input;
}

core::TiledMatrix encode_rows(const Encoder& encoder, const Table& table, Rows rows) {
  core::TiledMatrix out(rows.count, encoder.features());
  encode_tiles({encoder, table, rows}, 0, rows.count, out);
  return out;
}

/// A row by itself has no place to name.
void refuse_infinite(const std::vector<Input>& inputs, std::span<const float> raw) {
  for (std::size_t i = 0; i < raw.size(); ++i)
    if (inputs[i].kind == Column::Kind::numeric && std::isinf(raw[i]))
      throw core::DataError(fmt::format("column '{}' is infinite; only finite numbers can be used", inputs[i].name));
}

}  // namespace

Encoder::Encoder(std::vector<Input> inputs) : inputs_(std::move(inputs)) {
  for (const Input& input : inputs_) {
    if (!(input.scale > 0.0) || !std::isfinite(input.scale) || !std::isfinite(input.mean))
      throw core::DataError(
          fmt::format("encoder: column '{}' has mean {} and scale {}; both must be finite, and the scale positive",
                      input.name, input.mean, input.scale));
    const bool shared = std::ranges::all_of(input.shares, [](double p) { return p >= 0.0 && p <= 1.0; });
    if (input.shares.size() != input.levels.size() || !shared)
      throw core::DataError(fmt::format("encoder: column '{}' needs a share from 0 to 1 for each of its {} levels",
                                        input.name, input.levels.size()));
    all_numeric_ = all_numeric_ && input.kind == Column::Kind::numeric;
    one_each_ = one_each_ && input.kind == Column::Kind::numeric && !input.indicator;
    const Standard standard = standard_of(input);
    means_.push_back(standard.mean);
    inverses_.push_back(standard.inverse);
    places_.push_back(features_);
    features_ += input.width();
  }
}

Encoder Encoder::fit(const Table& table, std::span<const std::size_t> columns, const WeightedRows& from,
                     bool standardise, core::Workers* workers) {
  std::vector<Input> inputs(columns.size());
  const auto fit_one = [&](std::size_t i) {
    inputs[i] = fit_input(table, table.columns[columns[i]], from, standardise);
  };
  if (workers)
    workers->run(inputs.size(), fit_one);
  else
    for (std::size_t i = 0; i < inputs.size(); ++i) fit_one(i);
  return Encoder(std::move(inputs));
}

std::vector<std::string> Encoder::feature_names() const {
  std::vector<std::string> names;
  names.reserve(features_);
  for (const Input& input : inputs_) {
    if (input.kind == Column::Kind::numeric) names.push_back(input.name);
    for (const auto& level : input.levels) names.push_back(input.name + "=" + level);
    if (input.indicator) names.push_back(input.name + " missing");
  }
  return names;
}

core::TiledMatrix Encoder::encode(const Table& table, std::span<const std::size_t> rows) const {
  // An empty span may hold a null pointer, which Rows would read as "not listed"; with no rows either is the
  // same.
  return encode_rows(*this, table, {rows.data(), rows.size()});
}

core::TiledMatrix Encoder::encode(const Table& table) const {
  return encode_rows(*this, table, {nullptr, table.rows()});
}

void Encoder::encode_row(std::span<const float> raw, std::span<float> features) const {
  if (raw.size() != inputs_.size() || features.size() != features_)
    throw core::UsageError(
        fmt::format("encode_row: {} values into {} features; the model has {} inputs and {} features", raw.size(),
                    features.size(), inputs_.size(), features_));
  if (one_each_) {
    if (!standardise_row(means_.data(), inverses_.data(), raw.data(), raw.size(), features.data()))
      refuse_infinite(inputs_, raw);
    return;
  }
  float* out = features.data();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Input& input = inputs_[i];
    const float x = raw[i];
    if (input.kind == Column::Kind::numeric) {
      if (!standardise_row(&means_[i], &inverses_[i], &x, 1, out++)) refuse_infinite(inputs_, raw);
    }
    for (std::size_t l = 0; l < input.levels.size(); ++l)
      *out++ = x == static_cast<float>(l) ? one_hot(input, l).on : one_hot(input, l).off;
    if (input.indicator) *out++ = std::isnan(x) ? 1.0f : 0.0f;
  }
}

bool Encoder::encode_tile(core::MatrixView<const float> raw, float* tile, std::size_t stride) const {
  spread_rows(raw.data, raw.rows, raw.cols, places_.data(), tile, stride);
  bool finite = true;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    float* values = tile + places_[i] * stride;
    float* gaps = inputs_[i].indicator ? values + stride : nullptr;
    finite = standardise_column({means_[i], inverses_[i]}, values, raw.rows, values, gaps) && finite;
  }
  return finite;
}

TableEncoder::TableEncoder(const Encoder& encoder, const Table& table, Rows rows) {
  for (const Input& input : encoder.inputs()) {
    const auto at = table.find(input.name);
    if (!at)
      throw core::DataError(fmt::format("{}: column '{}' is missing; the model needs it", table.source, input.name));
    columns_.emplace_back(input, Source{table, table.columns[*at], rows});
    widths_.push_back(input.width());
  }
}

bool TableEncoder::encode(std::size_t first, std::size_t count, float* tile, std::size_t stride) const {
  bool finite = true;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    finite = columns_[c].encode(first, count, tile, stride) && finite;
    tile += widths_[c] * stride;
  }
  return finite;
}

void TableEncoder::refuse(std::size_t first, std::size_t count) const {
  for (const ColumnEncoder& column : columns_) column.refuse(first, count);
}

void encode_tiles(const TableEncoder& columns, std::size_t first, std::size_t last, core::TiledMatrix& out) {
  for (const std::size_t t = out.tile_rows(); first < last; first += t) {
    const std::size_t count = std::min(t, last - first);
    if (!columns.encode(first, count, out.tile(first / t), t)) columns.refuse(first, count);
  }
}

}  // namespace accrete::data
