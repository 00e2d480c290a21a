#include <fmt/format.h>

#include <limits>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/data/column_index.hpp"
#include "accrete/data/missing_values.hpp"
#include "accrete/data/recognise.hpp"
#include "accrete/data/recognise/convert_column.hpp"

namespace accrete::data {
namespace {

void remove_missing_values(Column& column, const MissingValues& more_missing) {
  if (more_missing.empty()) return;
  for (float& x : column.numbers)
    if (more_missing.contains(x)) x = std::numeric_limits<float>::quiet_NaN();
  std::vector<char> is_missing_level;
  for (const std::string& level : column.levels) is_missing_level.push_back(more_missing.contains(level) ? 1 : 0);
  for (std::int32_t& code : column.codes)
    if (code >= 0 && is_missing_level[static_cast<std::size_t>(code)]) code = -1;
}

/// Reads one column of a table in the format of a model or another table; a part of a date is appended to `added`.
void apply_format(Table& table, const ColumnIndex& index, const std::string& name, const TextFormat& format,
                  std::vector<Column>& added) {
  const auto at = index.find(name);
  if (format.is_date() && !at) {
    const auto source = index.find(format.column);
    if (!source)
      throw core::DataError(fmt::format("{}: column '{}' is missing; the model needs it", table.source, format.column));
    const Column& dates = table.columns[*source];
    if (dates.kind != Column::Kind::text)
      throw core::DataError(
          fmt::format("{}: column '{}' holds numbers; the model needs dates", table.source, dates.name));
    added.push_back(date_column(table, dates, name, format));
    return;
  }
  if (!at) return;
  Column& column = table.columns[*at];
  if (column.kind == Column::Kind::text && format.needs_text() && !format.is_date())
    convert_column(table, column, format);
  else
    remove_missing_values(column, MissingValues(format.missing));
}

template <class Formats>
void apply_all(Table& table, const Formats& formats) {
  std::vector<Column> added;
  const ColumnIndex index(table);
  for (const auto& from : formats)
    if (from.format != TextFormat{}) apply_format(table, index, from.name, from.format, added);
  for (Column& column : added) table.columns.push_back(std::move(column));
}

}  // namespace

void apply_formats(Table& table, std::span<const Input> inputs) {
  apply_all(table, inputs);
}

void apply_formats(Table& table, const Table& formats) {
  apply_all(table, formats.columns);
}

}  // namespace accrete::data
