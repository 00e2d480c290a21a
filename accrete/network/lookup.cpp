#include "accrete/network/lookup.hpp"

#include <algorithm>
#include <utility>

namespace accrete::network {
namespace {

/// Columns share a table of at most this many code combinations. Larger tables save no time because they leave the L1
/// cache.
constexpr std::size_t max_shared_entries = 256;

}  // namespace

void LookupLayer::build(std::span<const data::FeatureSource> features, std::size_t units) {
  shape_ = {
      .units = units, .width = (units + lookup_units - 1) / lookup_units * lookup_units, .features = features.size()};
  columns_.clear();
  dense_.clear();
  dense_.reserve(features.size());
  for (std::size_t first = 0, last; first < features.size(); first = last) {
    last = first + 1;
    if (features[first].is_sparse()) continue;
    if (!features[first].is_computed()) {
      dense_.push_back(first);
      continue;
    }
    while (last < features.size() && features[last].is_computed() && features[last].column == features[first].column)
      ++last;
    if (auto column = CodedColumn::make(features.subspan(first, last - first), first))
      columns_.push_back(std::move(*column));
    else
      for (std::size_t f = first; f < last; ++f) dense_.push_back(f);
  }
  create_tables();
}

void LookupLayer::create_tables() {
  std::ranges::stable_sort(columns_, {}, &CodedColumn::codes);
  list_.clear();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::size_t codes = columns_[c].codes();
    if (!list_.empty() && list_.back().entries * codes <= max_shared_entries) {
      list_.back().last = c + 1;
      list_.back().entries *= codes;
    } else {
      list_.push_back({c, c + 1, codes});
    }
  }
  starts_.clear();
  std::size_t size = 0;
  for (const Table& table : list_) starts_.push_back(std::exchange(size, size + table.entries * shape_.width));
  values_.assign(size, 0.0f);
  tables_ = {
      .count = list_.size(), .width = shape_.width, .size = size, .starts = starts_.data(), .values = values_.data()};
}

void LookupLayer::encode_tile(const float* tile, std::size_t tile_rows, std::uint16_t* entries) const {
  std::vector<std::uint16_t> codes(tile_rows);
  for (const Table& table : list_) {
    columns_[table.first].encode(tile, tile_rows, entries);
    std::size_t stride = columns_[table.first].codes();
    for (std::size_t c = table.first + 1; c < table.last; stride *= columns_[c++].codes()) {
      columns_[c].encode(tile, tile_rows, codes.data());
      for (std::size_t r = 0; r < tile_rows; ++r)
        entries[r] = static_cast<std::uint16_t>(entries[r] + stride * codes[r]);
    }
    entries += tile_rows;
  }
}

void LookupLayer::set_weights(std::span<const double> weights) {
  compute_tables(weights.data());
}

void LookupLayer::set_weights(std::span<const float> weights) {
  compute_tables(weights.data());
}

/// A shared table starts as the table of its first column. Each further column adds its values to copies of it; the
/// first copy is written last because it is the source.
template <class Weight>
void LookupLayer::compute_tables(const Weight* weights) {
  const std::size_t width = shape_.width;
  for (std::size_t t = 0; t < list_.size(); ++t) {
    float* table = values_.data() + starts_[t];
    columns_[list_[t].first].tabulate(shape_, weights, table);
    std::size_t size = columns_[list_[t].first].codes() * width;
    for (std::size_t c = list_[t].first + 1; c < list_[t].last; ++c) {
      const std::size_t codes = columns_[c].codes();
      column_values_.assign(codes * width, 0.0f);
      columns_[c].tabulate(shape_, weights, column_values_.data());
      for (std::size_t code = codes; code-- > 0;)
        for (std::size_t i = 0; i < size; i += width)
          for (std::size_t j = 0; j < width; ++j)
            table[code * size + i + j] = table[i + j] + column_values_[code * width + j];
      size *= codes;
    }
  }
}

void LookupLayer::weight_gradient(const double* sums, double* gradient) const {
  std::vector<double> marginal;
  for (std::size_t t = 0; t < list_.size(); ++t)
    for (std::size_t c = list_[t].first; c < list_[t].last; ++c) {
      const double* own = sums + starts_[t];
      if (list_[t].last - list_[t].first > 1) {
        marginal.assign(columns_[c].codes() * shape_.width, 0.0);
        add_marginal_sums(list_[t], own, c, marginal.data());
        own = marginal.data();
      }
      columns_[c].weight_gradient(shape_, own, gradient);
    }
}

/// Adds the sums of a shared table over the codes of all its columns but one.
void LookupLayer::add_marginal_sums(const Table& table, const double* sums, std::size_t column,
                                    double* marginal) const {
  const std::size_t width = shape_.width, codes = columns_[column].codes();
  std::size_t stride = 1;
  for (std::size_t c = table.first; c < column; ++c) stride *= columns_[c].codes();
  for (std::size_t entry = 0; entry < table.entries; ++entry) {
    double* to = marginal + entry / stride % codes * width;
    for (std::size_t j = 0; j < width; ++j) to[j] += sums[entry * width + j];
  }
}

}  // namespace accrete::network
