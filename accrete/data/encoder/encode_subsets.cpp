#include "accrete/data/encoder/encode_subsets.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "accrete/core/mapped.hpp"
#include "accrete/core/overloaded.hpp"
#include "accrete/core/pages.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/data/encoder/table_encoder.hpp"

namespace accrete::data {
namespace {

/// Rows per task: enough to amortise its overhead, and 16 small pages of a column.
constexpr std::size_t task_rows = 4096;

Ramp level_ramp(const OneHot& by, std::size_t level) {
  return {.knot = static_cast<float>(level), .low = by.levels[level].off, .high = by.levels[level].on};
}

std::vector<std::size_t> group_starts(const Encoder& encoder) {
  std::vector<std::size_t> starts;
  for (const ColumnEncoding& column : encoder.columns())
    if (column.width() > 0) starts.push_back(column.first());
  return starts;
}

/// A ramp as a function of the grid position: ramp j rises from position 2j to 2j + 2.
Ramp grid_ramp(const Ramp& ramp, std::size_t j) {
  return {
      .knot = static_cast<float>(2 * j), .slope = 0.5f * (ramp.high - ramp.low), .low = ramp.low, .high = ramp.high};
}

/// Adds the sources of all features of a column that is a single stored column. grid: of a binned column.
void add_single_sources(const ColumnEncoding& encoding, std::size_t column, const NumberGrid& grid,
                        std::vector<FeatureSource>& sources) {
  encoding.visit(core::Overloaded{[&](const Standardised& by) {
                                    sources.push_back(
                                        {column,
                                         FeatureKind::grid_number,
                                         {.knot = static_cast<float>(by.mean), .slope = static_cast<float>(by.inverse)},
                                         grid.data()});
                                  },
                                  [&](const Bins& by) {
                                    for (std::size_t j = 0; j < by.ramps.size(); ++j)
                                      sources.push_back({column, FeatureKind::grid_ramp, grid_ramp(by.ramps[j], j)});
                                  },
                                  [&](const OneHot& by) {
                                    for (std::size_t l = 0; l < by.levels.size(); ++l)
                                      sources.push_back({column, FeatureKind::level, level_ramp(by, l)});
                                  },
                                  [&](const GapFlag&) {
                                    sources.push_back({column, FeatureKind::gap, {}});
                                  }});
}

/// One grid per column of the encoder; empty if the column is not binned.
std::vector<NumberGrid> column_grids(const Encoder& encoder) {
  std::vector<NumberGrid> grids;
  for (const ColumnEncoding& column : encoder.columns())
    grids.push_back(column.get<Bins>() ? column.get<Bins>()->grid : NumberGrid());
  return grids;
}

/// The source of each feature in compact or lookup storage.
std::vector<FeatureSource> feature_sources(const Encoder& encoder, FeatureStorage storage,
                                           const std::vector<NumberGrid>& grids) {
  std::vector<FeatureSource> sources;
  std::size_t column = 0;
  const auto add_stored = [&](std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) sources.push_back({.column = column++});
  };
  for (std::size_t c = 0; c < grids.size(); ++c) {
    const ColumnEncoding& encoding = encoder.columns()[c];
    if (is_single_column(encoding, storage)) {
      add_single_sources(encoding, column++, grids[c], sources);
      continue;
    }
    encoding.visit(core::Overloaded{[&](const Standardised&, const FeatureGroup& group) { add_stored(group.count); },
                                    [&](const Bins& by) {
                                      for (std::size_t j = 0; j < by.ramps.size(); ++j)
                                        sources.push_back({column, FeatureKind::ramp, by.ramps[j]});
                                      ++column;
                                    },
                                    [&](const OneHot& by, const FeatureGroup& group) {
                                      if (!is_coded(by, storage)) return add_stored(group.count);
                                      for (std::size_t l = 0; l < by.levels.size(); ++l)
                                        sources.push_back({column, FeatureKind::level, level_ramp(by, l)});
                                      ++column;
                                    },
                                    [&](const GapFlag&, const FeatureGroup& group) { add_stored(group.count); }});
  }
  return sources;
}

/// The encoding progress of one subset.
struct SubsetEncoding {
  SubsetEncoding(const Encoder& encoder, std::span<const std::size_t> listed, std::size_t all_rows,
                 std::optional<std::size_t> max_expanded)
      : rows(listed) {
    std::size_t columns = 0, widest = 0;
    for (const Input& input : encoder.inputs()) widest = std::max({widest, input.bins(), input.levels.size()});
    const bool has_wide_column = widest >= min_lookup_bins;
    const FeatureStorage small = has_wide_column ? FeatureStorage::lookup : FeatureStorage::compact;
    for (const ColumnEncoding& column : encoder.columns()) columns += stored_columns(column, small);
    const std::size_t all = encoder.features();
    const std::size_t max_bytes = max_expanded.value_or(has_wide_column ? 0 : max_expanded_bytes);
    if (columns < all && all_rows * all * sizeof(float) > max_bytes)
      storage = small;
    else
      columns = all;
    std::size_t tile_rows = core::TiledMatrix::tile_rows_for(all);
    if (storage == FeatureStorage::lookup) tile_rows = std::max(tile_rows, lookup_tile_rows);
    out = core::TiledMatrix(rows.size(), columns, tile_rows);
  }

  std::span<const std::size_t> rows;
  FeatureStorage storage = FeatureStorage::expanded;
  core::TiledMatrix out;
  std::size_t done = 0;  ///< rows encoded; a multiple of the tile, or all

  /// The next table row that the subset needs, or `end`.
  std::size_t next_row(std::size_t end) const { return done < rows.size() ? rows[done] : end; }

  /// Rows of the subset that can be encoded from table rows before `row`: whole tiles, or all remaining rows.
  std::size_t rows_before(std::size_t row) const {
    const auto count = static_cast<std::size_t>(std::ranges::lower_bound(rows, row) - rows.begin());
    return count == rows.size() ? count : count / out.tile_rows() * out.tile_rows();
  }
};

Features make_features(const Encoder& encoder, SubsetEncoding subset) {
  const bool wide = subset.storage == FeatureStorage::lookup;
  if (subset.storage == FeatureStorage::expanded) return Features(std::move(subset.out));
  const auto grids = std::make_shared<const std::vector<NumberGrid>>(column_grids(encoder));
  return Features(std::move(subset.out), feature_sources(encoder, subset.storage, *grids),
                  wide ? group_starts(encoder) : std::vector<std::size_t>{}, grids);
}

/// Rows first .. last - 1 of a subset.
struct EncodeTask {
  SubsetEncoding* subset;
  std::size_t first, last;
};

std::vector<EncodeTask> tasks_before(std::vector<SubsetEncoding>& subsets, std::size_t row) {
  std::vector<EncodeTask> tasks;
  for (SubsetEncoding& subset : subsets) {
    const std::size_t tile = subset.out.tile_rows(), last = subset.rows_before(row);
    const std::size_t step = std::max(tile, task_rows / tile * tile);
    for (; subset.done < last; subset.done = tasks.back().last)
      tasks.push_back({&subset, subset.done, std::min(last, subset.done + step)});
  }
  return tasks;
}

/// Releases the memory of a table: columns that no input reads immediately, others as their rows are read.
class TableReleaser {
 public:
  TableReleaser(const Encoder& encoder, Table& table) : table_(table) {
    std::unordered_set<std::string_view> read;
    for (const Input& input : encoder.inputs()) read.insert(input.name);
    std::erase_if(table_.columns, [&](const Column& column) { return !read.contains(column.name); });
  }

  /// Call after rows before `row` were read. A page that two blocks share is released with the second block.
  void release_before(std::size_t row) {
    constexpr std::size_t overlap = 65536 / sizeof(float);  // the largest common page size, in rows
    const std::size_t first = released_ > overlap ? released_ - overlap : 0, count = row - first;
    for (Column& column : table_.columns)
      if (column.sparse)
        continue;
      else if (column.kind == Column::Kind::numeric)
        core::release_pages(std::span(column.numbers).subspan(first, count));
      else
        core::release_pages(std::span(column.codes).subspan(first, count));
    released_ = row;
  }

  void release_all() { table_.columns.clear(); }

  /// Bytes that releasing the table would free.
  static std::size_t bytes_of(const Table& table) {
    std::size_t bytes = 0;
    for (const Column& column : table.columns)
      bytes += column.codes.size() * sizeof(std::int32_t) +
               (column.numbers.is_mapped() ? 0 : column.numbers.size() * sizeof(float));
    return bytes;
  }

 private:
  Table& table_;
  std::size_t released_ = 0;  ///< rows
};

}  // namespace

namespace {

std::vector<Features> encode_dense_subsets(const Encoder& encoder, ConsumableTable from,
                                           std::span<const std::span<const std::size_t>> lists, core::Workers& workers,
                                           const SubsetStorage& storage) {
  const core::PendingMemory of_the_table(from.consumed ? TableReleaser::bytes_of(*from.consumed) : 0);
  std::vector<SubsetEncoding> subsets;
  subsets.reserve(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i)
    subsets.emplace_back(encoder, lists[i], storage.all_rows.empty() ? lists[i].size() : storage.all_rows[i],
                         storage.max_expanded);
  std::optional<TableReleaser> releaser;
  if (from.consumed) releaser.emplace(encoder, *from.consumed);

  std::vector<TableEncoder> encoders;  // hold references to columns, so they are built after unused columns are erased
  encoders.reserve(subsets.size());
  for (const SubsetEncoding& subset : subsets)
    encoders.emplace_back(encoder, from.table, RowSelection{subset.rows.data(), subset.rows.size()}, subset.storage);

  // A block gives every thread a few tasks and is a small part of any table whose memory matters. Unordered rows may be
  // anywhere in the table, so it is then read as one block.
  const std::size_t end = from.table.rows();
  const bool ascending = std::ranges::all_of(lists, [](auto rows) { return std::ranges::is_sorted(rows); });
  const std::size_t block = ascending ? task_rows * std::max<std::size_t>(16, 4 * workers.threads()) : end;
  for (std::size_t row = 0; row < end;) {
    row = std::min(end, row + block);
    const auto tasks = tasks_before(subsets, row);
    workers.run(tasks.size(), [&](std::size_t i) {
      const EncodeTask& task = tasks[i];
      const auto number = static_cast<std::size_t>(task.subset - subsets.data());
      encode_tiles(encoders[number], task.first, task.last, task.subset->out);
    });
    std::size_t read = row;
    for (const SubsetEncoding& subset : subsets) read = std::min(read, subset.next_row(row));
    if (releaser) releaser->release_before(read);
  }
  if (releaser) releaser->release_all();
  std::vector<Features> results;
  results.reserve(subsets.size());
  for (SubsetEncoding& subset : subsets) results.push_back(make_features(encoder, std::move(subset)));
  return results;
}

}  // namespace

std::vector<Features> encode_subsets(const Encoder& encoder, ConsumableTable from,
                                     std::span<const std::span<const std::size_t>> lists, core::Workers& workers,
                                     const SubsetStorage& storage) {
  const std::vector<bool> sparse = sparse_inputs(encoder, from.table);
  if (std::ranges::find(sparse, true) == sparse.end())
    return encode_dense_subsets(encoder, from, lists, workers, storage);
  const SparseRows all = encode_sparse(encoder, from.table, sparse);
  const std::vector<bool> features = sparse_features(encoder, sparse);
  std::vector<Features> results = encode_dense_subsets(dense_encoder(encoder, sparse), from, lists, workers, storage);
  for (std::size_t i = 0; i < lists.size(); ++i)
    results[i] = Features(std::move(results[i]), all.select(lists[i]), features);
  return results;
}

}  // namespace accrete::data
