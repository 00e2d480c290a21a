#include "accrete/data/encoder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/core/overloaded.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/data/encoder/fit_sparse.hpp"
#include "accrete/data/encoder/standardise_kernel.hpp"
#include "accrete/data/encoder/table_encoder.hpp"

namespace accrete::data {
namespace {

core::TiledMatrix encode_rows(const Encoder& encoder, const Table& table, RowSelection rows) {
  core::TiledMatrix out(rows.count, encoder.features());
  encode_tiles({encoder, table, rows}, 0, rows.count, out);
  return out;
}

}  // namespace

Encoder::Encoder(std::vector<Input> inputs) : inputs_(std::move(inputs)) {
  content_.renew();
  for (const Input& input : inputs_) {
    const ColumnEncoding& column = columns_.emplace_back(input, features_);
    const Standardised* number = column.get<Standardised>();
    all_numeric_ = all_numeric_ && input.kind == Column::Kind::numeric;
    one_each_ = one_each_ && number && column.width() == 1;
    if (number) {
      means_.push_back(number->mean);
      inverses_.push_back(number->inverse);
    }
    first_.push_back(column.first());
    features_ += column.width();
  }
}

Encoder Encoder::fit(const Table& table, std::span<const std::size_t> columns, const WeightedRows& from,
                     const EncoderOptions& options, core::Workers* workers) {
  std::vector<Input> inputs(columns.size());
  std::optional<RowWeights> weights;  // one lookup table for all sparse columns
  if (has_sparse_columns(table)) weights.emplace(table, from);
  const auto fit_one = [&](std::size_t i) {
    const Column& column = table.columns[columns[i]];
    inputs[i] = column.sparse ? fit_sparse(column, *weights, options) : fit_input(table, column, from, options);
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
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Input& input = inputs_[i];
    columns_[i].visit(core::Overloaded{[&](const Standardised&) { names.push_back(input.name); },
                                       [&](const Bins& by) {
                                         for (const Bin& bin : by.bins)
                                           names.push_back(fmt::format("{} {}..{}", input.name, bin.start, bin.end));
                                       },
                                       [&](const OneHot&) {
                                         for (const auto& level : input.levels)
                                           names.push_back(input.name + "=" + level);
                                       },
                                       [&](const GapFlag&) { names.push_back(input.name + " missing"); }});
  }
  return names;
}

core::TiledMatrix Encoder::encode(const Table& table, std::span<const std::size_t> rows) const {
  // The pointer of an empty span may be null, which RowSelection reads as "first count rows"; count is 0 either way.
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
      refuse_infinite(raw);
    return;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (!write_row(columns_[i], raw[i], features.data() + first_[i])) refuse_infinite(raw);
}

void Encoder::refuse_infinite(std::span<const float> raw) const {
  for (std::size_t i = 0; i < raw.size(); ++i)
    if (inputs_[i].kind == Column::Kind::numeric && std::isinf(raw[i]))
      throw core::DataError(fmt::format("column '{}' is infinite; only finite numbers can be used", inputs_[i].name));
}

bool Encoder::encode_tile(core::MatrixView<const float> raw, float* tile, std::size_t stride) const {
  transpose_rows(raw.data, raw.rows, raw.cols, first_.data(), tile, stride);
  bool finite = true;
  for (const ColumnEncoding& column : columns_) {
    float* values = tile + column.first() * stride;
    finite = write_features(column, FeatureStorage::expanded, values, raw.rows, values, stride) && finite;
  }
  return finite;
}

}  // namespace accrete::data
