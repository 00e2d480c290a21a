#include "accrete/data/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/data/encode_column.hpp"
#include "accrete/data/ramp_kernel.hpp"

namespace accrete::data {
namespace {

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
    one_each_ = one_each_ && input.kind == Column::Kind::numeric && input.width() == 1;
    const Standard standard = standard_of(input);
    means_.push_back(standard.mean);
    inverses_.push_back(standard.inverse);
    ramps_.emplace_back(input);
    places_.push_back(features_);
    features_ += input.width();
  }
}

Encoder Encoder::fit(const Table& table, std::span<const std::size_t> columns, const WeightedRows& from,
                     const EncoderOptions& options, core::Workers* workers) {
  std::vector<Input> inputs(columns.size());
  const auto fit_one = [&](std::size_t i) { inputs[i] = fit_input(table, table.columns[columns[i]], from, options); };
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
    for (std::size_t j = 0; j < input.bins(); ++j)
      names.push_back(fmt::format("{} {}..{}", input.name, input.knots[j], input.knots[j + 1]));
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
      if (ramps_[i].size() > 0) ramp_row(ramps_[i], x, out);
      out += ramps_[i].size();
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
    const NumberFeatures features{{means_[i], inverses_[i]}, ramps_[i], inputs_[i].indicator};
    finite = encode_numbers(features, values, raw.rows, values, stride) && finite;
  }
  return finite;
}

TableEncoder::TableEncoder(const Encoder& encoder, const Table& table, Rows rows, BinForm form) {
  for (const Input& input : encoder.inputs()) {
    const auto at = table.find(input.name);
    if (!at)
      throw core::DataError(fmt::format("{}: column '{}' is missing; the model needs it", table.source, input.name));
    columns_.emplace_back(input, Source{table, table.columns[*at], rows}, form);
    widths_.push_back(columns_of(input, form));
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
