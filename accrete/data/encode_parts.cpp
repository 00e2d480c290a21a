#include "accrete/data/encode_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "accrete/core/mapped.hpp"
#include "accrete/core/pages.hpp"
#include "accrete/data/encode_column.hpp"

namespace accrete::data {
namespace {

/// Rows a thread encodes at once: enough to be worth a task, and sixteen small pages of a column.
constexpr std::size_t task_rows = 4096;

/// Where an encoder's features are when bins are kept as numbers.
std::vector<FeatureSource> sources_of(const Encoder& encoder) {
  std::vector<FeatureSource> sources;
  std::size_t column = 0;
  for (const Input& input : encoder.inputs()) {
    const Ramps ramps(input);
    const std::size_t columns = columns_of(input, BinForm::number);
    for (std::size_t c = 0; c < columns; ++c, ++column) {
      if (c != 1 || ramps.size() == 0) sources.push_back({.column = column});
      for (std::size_t j = 0; c == 1 && j < ramps.size(); ++j) sources.push_back({column, true, ramps[j]});
    }
  }
  return sources;
}

/// One part on its way.
struct Part {
  Part(const Encoder& encoder, std::span<const std::size_t> listed, std::optional<std::size_t> given) : rows(listed) {
    std::size_t columns = 0, most_bins = 0;
    for (const Input& input : encoder.inputs()) {
      columns += columns_of(input, BinForm::number);
      most_bins = std::max(most_bins, input.bins());
    }
    const std::size_t all = encoder.features();
    const std::size_t most_whole = given.value_or(most_bins < bins_looked_up ? most_whole_bytes : 0);
    if (columns < all && rows.size() * all * sizeof(float) > most_whole) form = BinForm::number;
    out =
        core::TiledMatrix(rows.size(), form == BinForm::number ? columns : all, core::TiledMatrix::tile_rows_for(all));
  }

  std::span<const std::size_t> rows;
  BinForm form = BinForm::ramps;
  core::TiledMatrix out;
  std::size_t done = 0;  ///< rows encoded; the beginning of a tile, or all

  /// The first row of the table that is still to be read, or `none`.
  std::size_t next_row(std::size_t none) const { return done < rows.size() ? rows[done] : none; }

  /// How far the part can go when the table is read to before this row: whole tiles, but at the end.
  std::size_t reach(std::size_t row) const {
    const auto count = static_cast<std::size_t>(std::ranges::lower_bound(rows, row) - rows.begin());
    return count == rows.size() ? count : count / out.tile_rows() * out.tile_rows();
  }
};

/// A stretch of a part for one thread.
struct Task {
  Part* part;
  std::size_t first, last;
};

std::vector<Task> tasks_up_to(std::vector<Part>& parts, std::size_t row) {
  std::vector<Task> tasks;
  for (Part& part : parts) {
    const std::size_t tile = part.out.tile_rows(), last = part.reach(row);
    const std::size_t step = std::max(tile, task_rows / tile * tile);
    for (; part.done < last; part.done = tasks.back().last)
      tasks.push_back({&part, part.done, std::min(last, part.done + step)});
  }
  return tasks;
}

void give_back_rows(Column& column, std::size_t first, std::size_t last) {
  if (column.kind == Column::Kind::numeric)
    core::give_back(std::span(column.numbers).subspan(first, last - first));
  else
    core::give_back(std::span(column.codes).subspan(first, last - first));
}

/// Uses a table up: columns that no input reads at once, the others row after row.
class Spender {
 public:
  Spender(const Encoder& encoder, Table& table) : table_(table) {
    std::erase_if(table_.columns, [&](const Column& column) {
      return std::ranges::find(encoder.inputs(), column.name, &Input::name) == encoder.inputs().end();
    });
  }

  /// Rows before this one have been read. Pages at the seam of two blocks are given back with the second.
  void spend_to(std::size_t row) {
    constexpr std::size_t overlap = 65536 / sizeof(float);  // the largest common page, in rows
    const std::size_t first = spent_ > overlap ? spent_ - overlap : 0;
    for (Column& column : table_.columns) give_back_rows(column, first, row);
    spent_ = row;
  }

  void finish() { table_.columns.clear(); }

  /// What is in memory of a table that is going to be used up.
  static std::size_t bytes_of(const Table& table) {
    std::size_t bytes = 0;
    for (const Column& column : table.columns)
      bytes += column.codes.size() * sizeof(std::int32_t) +
               (column.numbers.is_mapped() ? 0 : column.numbers.size() * sizeof(float));
    return bytes;
  }

 private:
  Table& table_;
  std::size_t spent_ = 0;
};

}  // namespace

std::vector<Features> encode_parts(const Encoder& encoder, TableSource from,
                                   std::span<const std::span<const std::size_t>> lists, core::Workers& workers,
                                   std::optional<std::size_t> most_whole) {
  const core::MemoryToCome of_the_table(from.spent ? Spender::bytes_of(*from.spent) : 0);
  std::vector<Part> parts;
  parts.reserve(lists.size());
  for (const auto rows : lists) parts.emplace_back(encoder, rows, most_whole);
  std::optional<Spender> spender;
  if (from.spent) spender.emplace(encoder, *from.spent);

  std::vector<TableEncoder> columns;  // after what nobody reads is gone from the table, since they keep references
  columns.reserve(parts.size());
  for (const Part& part : parts)
    columns.emplace_back(encoder, from.table, Rows{part.rows.data(), part.rows.size()}, part.form);

  // Every thread gets a few tasks of each block; what is in flight stays a small part of a table worth the care. Rows
  // in no order may be anywhere in the table, which is then read in one block.
  const std::size_t end = from.table.rows();
  const bool ascending = std::ranges::all_of(lists, [](auto rows) { return std::ranges::is_sorted(rows); });
  const std::size_t block = ascending ? task_rows * std::max<std::size_t>(16, 4 * workers.threads()) : end;
  for (std::size_t row = 0; row < end;) {
    row = std::min(end, row + block);
    const auto tasks = tasks_up_to(parts, row);
    workers.run(tasks.size(), [&](std::size_t i) {
      const Task& task = tasks[i];
      encode_tiles(columns[static_cast<std::size_t>(task.part - parts.data())], task.first, task.last, task.part->out);
    });
    std::size_t read = row;
    for (const Part& part : parts) read = std::min(read, part.next_row(row));
    if (spender) spender->spend_to(read);
  }
  if (spender) spender->finish();
  std::vector<Features> results;
  results.reserve(parts.size());
  for (Part& part : parts)
    results.push_back(part.form == BinForm::number ? Features(std::move(part.out), sources_of(encoder))
                                                   : Features(std::move(part.out)));
  return results;
}

}  // namespace accrete::data
