#include "accrete/comm/table_share.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"

namespace accrete::comm {
namespace {

/// Calls f(values of the column) for each kind of values that the column has.
template <class Column, class F>
void for_values(Column& column, const F& f) {
  if (column.kind == data::Column::Kind::text)
    f(
        column.codes, [](auto& other) -> auto& { return other.codes; });
  else
    f(
        column.numbers, [](auto& other) -> auto& { return other.numbers; });
  if (!column.exact.empty())
    f(
        column.exact, [](auto& other) -> auto& { return other.exact; });
}

data::Column without_rows(const data::Column& column) {
  return {.name = column.name, .kind = column.kind, .levels = column.levels, .format = column.format};
}

/// The properties that ranks must agree on, as text.
std::vector<std::string> describe(const data::Table& table) {
  std::vector<std::string> columns;
  for (const data::Column& column : table.columns) {
    std::size_t hash = 0;
    for (const std::string& level : column.levels) hash = hash * 31 + std::hash<std::string>{}(level);
    columns.push_back(fmt::format("{}\n{} {} {} {}", column.name, static_cast<int>(column.kind), column.levels.size(),
                                  hash, column.exact.empty()));
  }
  return columns;
}

std::string name_in(const std::string& description) {
  return description.substr(0, description.find('\n'));
}

}  // namespace

TableShare::TableShare(const data::Table& table, Communicator& comm) : table_(table), comm_(comm) {
  const auto counts = gather_value<std::uint64_t>(comm, table.rows());
  rows_ = {{0}, comm.rank()};
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] == 0) throw core::DataError(fmt::format("rank {} has no rows; start fewer ranks", r));
    rows_.starts.push_back(rows_.starts.back() + counts[r]);
  }
  check_columns();
}

void TableShare::check_columns() const {
  const auto all = gather_texts(comm_, describe(table_));
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r].size() != all[0].size())
      throw core::DataError(
          fmt::format("rank {} has {} columns and rank 0 {}; all must have the same", r, all[r].size(), all[0].size()));
    for (std::size_t c = 0; c < all[r].size(); ++c)
      if (all[r][c] != all[0][c])
        throw core::DataError(fmt::format(
            "column {} is '{}' on rank {} and '{}' on rank 0; names and types must be the same on all ranks", c + 1,
            name_in(all[r][c]), r, name_in(all[0][c])));
  }
  for (const data::Column& column : table_.columns)
    if (column.sparse)
      throw core::UsageError(fmt::format(
          "column '{}' is sparse; sparse columns are not supported across ranks: fit in one process", column.name));
}

data::Column TableShare::gather_column(std::size_t c) const {
  const data::Column& own = table_.columns[c];
  data::Column result = without_rows(own);
  for_values(own, [&]<class Values>(const Values& values, const auto& of) {
    // Not by gather_parts, which would need the memory of the column twice.
    auto& all = of(result);
    all.resize(rows_.total());
    std::vector<std::size_t> sizes;
    for (std::size_t r = 0; r < comm_.size(); ++r)
      sizes.push_back((rows_.starts[r + 1] - rows_.starts[r]) * sizeof(typename Values::value_type));
    comm_.all_gather(std::as_bytes(std::span(values)), sizes, std::as_writable_bytes(std::span(all)));
  });
  return result;
}

data::Column TableShare::gather_rows(std::size_t c, std::span<const std::size_t> rows) const {
  const data::Column& own = table_.columns[c];
  data::Column result = without_rows(own);
  for_values(own, [&]<class Values>(const Values& values, const auto& of) {
    using T = typename Values::value_type;
    std::vector<std::size_t> lengths(comm_.size(), 0), taken(comm_.size(), 0);
    std::vector<T> sent;
    for (const std::size_t row : rows) {
      ++lengths[rows_.owner_of(row)];
      if (rows_.has(row)) sent.push_back(values[row - rows_.first()]);
    }
    const auto all = gather_parts<T>(comm_, sent, lengths);
    auto& to = of(result);
    to.reserve(rows.size());
    for (const std::size_t row : rows) {
      const std::size_t owner = rows_.owner_of(row);
      to.push_back(all.of(owner)[taken[owner]++]);
    }
  });
  return result;
}

data::Column TableShare::take_rows(std::size_t c, const RowExchange& exchange) const {
  const data::Column& own = table_.columns[c];
  data::Column result = without_rows(own);
  for_values(own, [&]<class Values>(const Values& values, const auto& of) {
    using T = typename Values::value_type;
    exchange.take(comm_, std::span<const T>(values), of(result));
  });
  return result;
}

void merge_levels(data::Column& column, Communicator& comm) {
  if (comm.size() == 1) return;
  const auto all = gather_texts(comm, column.levels);
  std::unordered_map<std::string, std::int32_t> index;
  std::vector<std::string> levels;
  for (const auto& of_rank : all)
    for (const std::string& level : of_rank)
      if (index.try_emplace(level, static_cast<std::int32_t>(levels.size())).second) levels.push_back(level);
  std::vector<std::int32_t> merged;
  for (const std::string& level : column.levels) merged.push_back(index.at(level));
  for (std::int32_t& code : column.codes)
    if (code >= 0) code = merged[static_cast<std::size_t>(code)];
  column.levels = std::move(levels);
}

}  // namespace accrete::comm
