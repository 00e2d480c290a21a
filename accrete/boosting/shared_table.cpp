#include "accrete/boosting/shared_table.hpp"

#include <algorithm>
#include <utility>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/comm/row_exchange.hpp"
#include "accrete/comm/share_inputs.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"
#include "accrete/data/encoder/fit_input.hpp"
#include "accrete/data/take_rows.hpp"

namespace accrete::boosting {
namespace {

void append(data::Column& to, data::Column more) {
  if (to.numbers.empty() && to.codes.empty()) {
    to = std::move(more);
    return;
  }
  to.numbers.insert(to.numbers.end(), more.numbers.begin(), more.numbers.end());
  to.exact.insert(to.exact.end(), more.exact.begin(), more.exact.end());
  to.codes.insert(to.codes.end(), more.codes.begin(), more.codes.end());
}

/// The values of the listed rows.
std::vector<double> take(std::span<const double> all, std::span<const std::size_t> rows) {
  std::vector<double> taken;
  for (std::size_t i = 0; i < rows.size() && !all.empty(); ++i) taken.push_back(all[rows[i]]);
  return taken;
}

core::Matrix<double> take(const core::Matrix<double>& all, std::span<const std::size_t> rows) {
  core::Matrix<double> taken(rows.size(), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(all.row(rows[i]), taken.row(i).begin());
  return taken;
}

/// This rank's share of a subset of this many rows.
comm::Share share_of(const data::Encoder& encoder, const data::Table& table, std::size_t rows,
                     const comm::Communicator& comm) {
  core::Workers one(1);
  const std::span<const std::size_t> none[] = {{}};
  const std::size_t all_rows[] = {rows};
  const auto layout = data::encode_subsets(encoder, {table}, none, one, {.all_rows = all_rows});
  return backend::RowChunks(layout.front(), rows, comm).row_share();
}

}  // namespace

data::Table SharedTable::gather() const {
  data::Table all{.source = share_.table().source, .columns = {}, .target_argument = share_.table().target_argument};
  for (std::size_t c = 0; c < share_.table().columns.size(); ++c) all.columns.push_back(share_.gather_column(c));
  return all;
}

data::Table SharedTable::gather_columns(std::span<const std::string> names) const {
  data::Table result{.source = share_.table().source, .columns = {}, .target_argument = share_.table().target_argument};
  for (std::size_t c = 0; c < share_.table().columns.size(); ++c) {
    const data::Column& own = share_.table().columns[c];
    if (c == 0 || std::ranges::find(names, own.name) != names.end())
      result.columns.push_back(share_.gather_column(c));
    else
      result.columns.push_back({.name = own.name, .kind = own.kind, .levels = own.levels, .format = own.format});
  }
  return result;
}

data::Table SharedTable::gather_rows(std::span<const std::size_t> rows) const {
  data::Table result{.source = share_.table().source, .columns = {}, .target_argument = share_.table().target_argument};
  for (std::size_t c = 0; c < share_.table().columns.size(); ++c) result.columns.push_back(share_.gather_rows(c, rows));
  return result;
}

data::Table SharedTable::own_rows(std::span<const std::size_t> rows) const {
  std::vector<std::size_t> own;
  for (const std::size_t row : rows)
    if (share_.rows().has(row)) own.push_back(row - share_.rows().first());
  return data::take_rows(share_.table(), own);
}

data::Encoder SharedTable::fit_encoder(std::span<const std::size_t> columns, const data::WeightedRows& from,
                                       const data::EncoderOptions& options) const {
  comm::Communicator& comm = share_.ranks();
  const std::size_t ranks = comm.size(), count = columns.size();
  std::vector<data::Input> inputs(count);
  bool failed = false;
  for (std::size_t first = 0; first < count; first += ranks) {
    data::Column own;
    for (std::size_t i = first; i < std::min(first + ranks, count); ++i) {
      data::Column all = share_.gather_column(columns[i]);
      const data::Column& known = share_.table().columns[columns[i]];
      inputs[i].name = known.name, inputs[i].kind = known.kind, inputs[i].format = known.format;
      if (i % ranks == comm.rank()) own = std::move(all);
    }
    if (first + comm.rank() >= count) continue;
    try {
      inputs[first + comm.rank()] = data::fit_input(share_.table(), own, from, options);
    } catch (const core::Error&) {
      failed = true;
    }
  }
  if (comm::is_any(comm, failed)) check_columns(columns, from, options);
  comm::share_inputs(inputs, comm);
  return data::Encoder(std::move(inputs));
}

/// Throws the error of the first column that cannot be encoded, the same on all ranks.
void SharedTable::check_columns(std::span<const std::size_t> columns, const data::WeightedRows& from,
                                const data::EncoderOptions& options) const {
  for (const std::size_t c : columns) data::fit_input(share_.table(), share_.gather_column(c), from, options);
}

std::vector<data::Features> SharedTable::encode(const data::Encoder& encoder,
                                                std::span<const std::span<const std::size_t>> subsets,
                                                core::Workers& workers) const {
  const data::Table& own = share_.table();
  std::vector<std::size_t> all_rows;
  std::vector<comm::Share> wanted;
  std::vector<std::span<const std::size_t>> lists;
  for (const auto subset : subsets) {
    all_rows.push_back(subset.size());
    wanted.push_back(share_of(encoder, own, subset.size(), share_.ranks()));
  }
  // The rows that this rank trains on: those of the first subset, then those of the second, and so on.
  data::Table moved{.source = own.source, .columns = {}, .target_argument = own.target_argument};
  std::vector<comm::RowExchange> exchanges;
  for (std::size_t s = 0; s < subsets.size(); ++s) exchanges.emplace_back(share_.rows(), subsets[s], wanted[s]);
  for (const data::Input& input : encoder.inputs()) {
    const std::size_t c = own.require(input.name);
    data::Column& column = moved.columns.emplace_back();
    for (const comm::RowExchange& exchange : exchanges) append(column, share_.take_rows(c, exchange));
  }
  const std::vector<std::size_t> rows = boosting::all_rows(moved.rows());
  for (std::size_t s = 0, first = 0; s < subsets.size(); first += wanted[s++].count())
    lists.push_back(std::span(rows).subspan(first, wanted[s].count()));
  return data::encode_subsets(encoder, {moved, &moved}, lists, workers, {.all_rows = all_rows});
}

GatheredRows::GatheredRows(const SharedTable& shared, const TrainingTable& from, std::span<const std::size_t> rows)
    : table_(shared.gather_rows(rows)),
      training_{.source = {table_},
                .targets = take(from.targets, rows),
                .weights = take(from.weights, rows),
                .offsets = take(from.offsets, rows),
                .columns = from.columns} {}

void keep_own_rows(data::Dataset& data, const comm::Communicator& comm) {
  const comm::Share share = backend::RowChunks(data.features, data.rows(), comm).row_share();
  data.first_row = share.first();
  if (data.features.rows() == share.count()) return;  // it already holds only its own rows
  std::vector<std::size_t> rows = all_rows(share.count());
  for (std::size_t& row : rows) row += share.first();
  data.features = data.features.select_rows(rows);
}

}  // namespace accrete::boosting
