#include "accrete/boosting/rows/distinct_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "accrete/data/encoder/encode_sparse.hpp"

namespace accrete::boosting {
namespace {

using Key = std::uint64_t;
constexpr Key missing = std::numeric_limits<Key>::max();

/// Sort key of a number.
Key key_of(double x) {
  if (std::isnan(x)) return missing;
  constexpr Key sign = Key{1} << 63;
  const Key bits = std::bit_cast<Key>(x == 0.0 ? 0.0 : x);
  return bits & sign ? ~bits : bits | sign;
}

/// Sort key of each level of a text column.
std::vector<Key> ranks_of(const std::vector<std::string>& levels) {
  std::vector<std::size_t> order(levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t l) -> const std::string& { return levels[l]; });
  std::vector<Key> ranks(levels.size());
  for (std::size_t i = 1; i < order.size(); ++i)
    ranks[order[i]] = ranks[order[i - 1]] + (levels[order[i]] != levels[order[i - 1]] ? 1 : 0);
  return ranks;
}

/// Sorts rows by one column at a time: a column is read only for rows that are tied in all earlier columns, and
/// contiguously rather than row by row.
class RowOrder {
 public:
  struct Range {
    std::size_t first, last;
  };

  explicit RowOrder(std::span<const std::size_t> rows) : rows_(rows.begin(), rows.end()), ties_{{0, rows.size()}} {}

  template <class KeyOf>
  void refine(const KeyOf& key) {
    std::vector<Range> ties;
    for (const auto [first, last] : ties_) {
      sort(first, last, key);
      for (std::size_t i = 0, end = 0; i < keyed_.size(); i = end) {
        while (end < keyed_.size() && keyed_[end].first == keyed_[i].first) ++end;
        if (end - i > 1) ties.push_back({first + i, first + end});
      }
    }
    ties_ = std::move(ties);
  }

  /// Sorts within each tie; rows that are still equal remain tied.
  template <class KeyOf>
  void sort_ties(const KeyOf& key) {
    for (const auto [first, last] : ties_) sort(first, last, key);
  }

  const std::vector<std::size_t>& rows() const { return rows_; }
  const std::vector<Range>& ties() const { return ties_; }  ///< ranges of at least two rows, ascending

 private:
  template <class KeyOf>
  void sort(std::size_t first, std::size_t last, const KeyOf& key) {
    keyed_.clear();
    for (std::size_t i = first; i < last; ++i) keyed_.emplace_back(key(rows_[i]), rows_[i]);
    if (!std::ranges::is_sorted(keyed_)) std::ranges::sort(keyed_);  // constant columns are common
    for (std::size_t i = first; i < last; ++i) rows_[i] = keyed_[i - first].second;
  }

  std::vector<std::size_t> rows_;
  std::vector<Range> ties_;
  std::vector<std::pair<Key, std::size_t>> keyed_;
};

void refine_by(const data::Column& column, RowOrder& order) {
  if (column.kind == data::Column::Kind::numeric) {
    order.refine([&](std::size_t r) { return key_of(column.numbers[r]); });
    return;
  }
  const auto ranks = ranks_of(column.levels);
  order.refine(
      [&](std::size_t r) { return column.codes[r] < 0 ? missing : ranks[static_cast<std::size_t>(column.codes[r])]; });
}

/// One of two hashes of each row's sparse entries. Rows that agree in both hashes count as equal; sorting by every
/// column would cost rows x columns.
std::vector<Key> sparse_keys(const RowValues& values, Key seed) {
  std::vector<Key> keys(values.table.rows(), 0);
  for (const std::size_t c : values.columns) {
    const auto& sparse = values.table.columns[c].sparse;
    for (std::size_t e = 0; sparse && e < sparse->rows.size(); ++e) {
      Key key = (seed + c) * 0x9E3779B97F4A7C15u ^ key_of(sparse->values[e]);
      key = (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
      keys[sparse->rows[e]] += (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
    }
  }
  return keys;
}

}  // namespace

void merge_equal_rows(const RowValues& values, std::vector<std::size_t>& rows, std::span<double> weights) {
  RowOrder order(rows);
  if (data::has_sparse_columns(values.table))
    for (const Key seed : {1u, 1u << 31}) {
      const std::vector<Key> keys = sparse_keys(values, seed);
      order.refine([&](std::size_t r) { return keys[r]; });
    }
  for (const std::size_t c : values.columns)
    if (!order.ties().empty() && !values.table.columns[c].sparse) refine_by(values.table.columns[c], order);
  for (std::size_t t = 0; t < values.targets.cols(); ++t)
    order.refine([&](std::size_t r) { return key_of(values.targets(r, t)); });
  order.sort_ties([&](std::size_t r) { return key_of(weights[r]); });  // makes sums independent of the original order

  rows.clear();
  std::size_t next = 0;
  for (const auto [first, last] : order.ties()) {
    rows.insert(rows.end(), order.rows().begin() + next, order.rows().begin() + first + 1);
    double sum = 0.0;
    for (std::size_t i = first; i < last; ++i) sum += weights[order.rows()[i]];
    weights[order.rows()[first]] = sum;
    next = last;
  }
  rows.insert(rows.end(), order.rows().begin() + next, order.rows().end());
}

}  // namespace accrete::boosting
