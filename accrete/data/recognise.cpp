#include "accrete/data/recognise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/data/column_index.hpp"
#include "accrete/data/date_text.hpp"
#include "accrete/data/missing_values.hpp"

namespace accrete::data {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
/// A column of fewer texts is a category, even if each of them is different.
constexpr std::size_t max_distinct_rows = 50;
constexpr double nearly_all = 0.9;

/// What the rows of a text column hold.
struct TextSummary {
  explicit TextSummary(const Column& column) : rows(column.levels.size(), 0) {
    for (std::size_t r = 0; r < column.codes.size(); ++r) {
      if (column.codes[r] < 0) continue;
      const auto level = static_cast<std::size_t>(column.codes[r]);
      ++values;
      if (rows[level]++ == 0) texts.push_back(column.levels[level]);
    }
  }

  std::vector<std::size_t> rows;   ///< of each level
  std::vector<std::string> texts;  ///< the levels that occur
  std::size_t values = 0;          ///< rows that are not missing
};

bool is_plain_number(const std::string& text) {
  const auto number = parse_number(text);
  return number && !std::isnan(*number);
}

/// The numbers of a text column; NaN where the cell is missing, or is not a number and the format allows that. Throws
/// DataError for the first other cell.
core::FloatColumn read_numbers(const Table& table, const Column& column, const TextFormat& format) {
  std::vector<std::optional<double>> of_level;
  const MissingValues more_missing(format.missing);
  for (const std::string& level : column.levels)
    of_level.push_back(more_missing.contains(level) ? missing : parse_number(level, format));
  core::FloatColumn numbers(column.codes.size());
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const auto code = column.codes[r];
    const auto number = code < 0 ? missing : of_level[static_cast<std::size_t>(code)];
    if (!number && !format.others_missing)
      throw core::DataError(fmt::format("{}: '{}' is not a {}; the model needs {}s here", place(table, r, column.name),
                                        column.levels[static_cast<std::size_t>(code)],
                                        format.is_date() ? "date" : "number", format.is_date() ? "date" : "number"));
    numbers[r] = static_cast<float>(number.value_or(missing));
  }
  return numbers;
}

/// Makes a text column numeric; its name stays in place, since an index may refer to it.
void convert(const Table& table, Column& column, const TextFormat& format) {
  column.numbers = read_numbers(table, column, format);
  column.kind = Column::Kind::numeric;
  column.codes = {};
  column.levels = {};
  column.format = format;
}

void remove_missing_values(Column& column, const MissingValues& more_missing) {
  if (more_missing.empty()) return;
  for (float& x : column.numbers)
    if (more_missing.contains(x)) x = missing;
  std::vector<char> is_missing_level;
  for (const std::string& level : column.levels) is_missing_level.push_back(more_missing.contains(level) ? 1 : 0);
  for (std::int32_t& code : column.codes)
    if (code >= 0 && is_missing_level[static_cast<std::size_t>(code)]) code = -1;
}

/// One part of a date column.
Column date_column(const Table& table, const Column& from, std::string name, const TextFormat& format) {
  Column column;
  column.name = std::move(name);
  column.numbers = read_numbers(table, from, format);
  column.format = format;
  return column;
}

/// The parts of a date column, one column each; the hour only if a cell has a time.
std::vector<Column> date_columns(const Table& table, const Column& from, TextFormat format) {
  const auto has_time = [&](const std::string& text) {
    const auto date = parse_date(text, format.order);
    return date && date->has_time;
  };
  const bool hours = std::ranges::any_of(from.levels, has_time);
  format.column = from.name;
  std::vector<Column> columns;
  for (const DatePart part : {DatePart::days, DatePart::year, DatePart::month, DatePart::weekday, DatePart::hour}) {
    if (part == DatePart::hour && !hours) continue;
    format.part = part;
    columns.push_back(date_column(table, from, fmt::format("{} {}", from.name, date_part_name(part)), format));
  }
  return columns;
}

/// "2024-05-01"
std::string show_date(const Date& date) {
  const auto first = parse_date(fmt::format("{:04}-{:02}-01", date.year, date.month), DateOrder::ymd);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.days - first->days + 1);
}

/// Replaces the columns of a table one by one.
class Recogniser {
 public:
  Recogniser(Table& table, const RecogniseOptions& options)
      : table_(table), options_(options), keep_(options.keep.begin(), options.keep.end()) {
    for (const std::string& name : options.numeric) {
      const std::string& column = table.columns[table.require(name)].name;
      if (keep_.contains(column))
        throw core::UsageError(
            fmt::format("column '{}' is a target, a weight or a category and cannot be numeric as well", column));
      numeric_.insert(column);
    }
  }

  RecognisedColumns run() {
    std::vector<Column> columns;
    columns.reserve(table_.columns.size());
    for (Column& column : table_.columns) {
      column.format.missing = options_.missing_values;
      if (numeric_.contains(column.name))
        read_numeric(column, columns);
      else if (column.kind == Column::Kind::numeric || keep_.contains(column.name))
        columns.push_back(std::move(column));
      else
        read_text(column, columns);
    }
    table_.columns = std::move(columns);
    return std::move(found_);
  }

 private:
  void read_numeric(Column& column, std::vector<Column>& into) {
    if (column.kind == Column::Kind::text) {
      const TextSummary summary(column);
      TextFormat format = closest_number_format(summary.texts);
      format.missing = options_.missing_values;
      format.others_missing = true;
      std::size_t others = 0;
      for (std::size_t l = 0; l < column.levels.size(); ++l)
        if (!parse_number(column.levels[l], format)) others += summary.rows[l];
      found_.numeric.push_back({column.name, others, summary.values});
      convert(table_, column, format);
    }
    column.format.others_missing = true;
    into.push_back(std::move(column));
  }

  void read_text(Column& column, std::vector<Column>& into) {
    const TextSummary summary(column);
    if (auto format = find_number_format(summary.texts); format && *format != TextFormat{}) {
      format->missing = options_.missing_values;
      found_.converted.push_back(
          {column.name, summary.texts.front(), fmt::format("{}", *parse_number(summary.texts.front(), *format))});
      convert(table_, column, *format);
      return into.push_back(std::move(column));
    }
    TextFormat dates{.missing = options_.missing_values, .order = find_date_order(summary.texts)};
    if (dates.is_date()) {
      found_.converted.push_back(
          {column.name, summary.texts.front(), show_date(*parse_date(summary.texts.front(), dates.order))});
      for (Column& part : date_columns(table_, column, dates)) into.push_back(std::move(part));
      return;
    }
    if (note_nearly_numeric(column, summary) || summary.texts.size() < summary.values ||
        summary.values <= max_distinct_rows)
      into.push_back(std::move(column));
    else
      found_.identifiers.push_back(column.name);
  }

  bool note_nearly_numeric(const Column& column, const TextSummary& summary) {
    const auto numbers = static_cast<double>(std::ranges::count_if(summary.texts, is_plain_number));
    const auto texts = static_cast<double>(summary.texts.size());
    if (numbers < nearly_all * texts || numbers == texts) return false;
    NearlyNumericColumn found{column.name, column.codes.size(), {}, 0, summary.values};
    std::vector<char> is_number;
    for (const std::string& level : column.levels) is_number.push_back(is_plain_number(level) ? 1 : 0);
    for (std::size_t r = column.codes.size(); r-- > 0;) {
      if (column.codes[r] < 0) continue;
      const auto level = static_cast<std::size_t>(column.codes[r]);
      if (is_number[level])
        ++found.numbers;
      else
        found.row = r, found.text = column.levels[level];
    }
    found_.nearly_numeric.push_back(std::move(found));
    return true;
  }

  Table& table_;
  const RecogniseOptions& options_;
  std::unordered_set<std::string> keep_, numeric_;
  RecognisedColumns found_;
};

/// Reads one column of a table as a model or another table does; a part of a date is appended to `added`.
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
    convert(table, column, format);
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

RecognisedColumns recognise_columns(Table& table, const RecogniseOptions& options) {
  return Recogniser(table, options).run();
}

void apply_formats(Table& table, std::span<const Input> inputs) {
  apply_all(table, inputs);
}

void apply_formats(Table& table, const Table& formats) {
  apply_all(table, formats.columns);
}

}  // namespace accrete::data
