#include "accrete/data/recognise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/data/recognise/convert_column.hpp"
#include "accrete/data/recognise/date_text.hpp"

namespace accrete::data {
namespace {

/// Columns with at most this many values are categories, even if all texts differ.
constexpr std::size_t max_distinct_rows = 50;
constexpr double nearly_all = 0.9;

/// Summary of a text column.
struct TextSummary {
  explicit TextSummary(const Column& column) : rows(column.levels.size(), 0), texts(column.levels) {
    for (const std::int32_t code : column.codes)
      if (code >= 0) ++rows[static_cast<std::size_t>(code)], ++values;
    if (std::ranges::find(rows, std::size_t{0}) == rows.end()) return;
    for (std::size_t l = 0; l < rows.size(); ++l)
      if (rows[l] > 0) occurring.push_back(column.levels[l]);
    texts = occurring;
  }
  TextSummary(const TextSummary&) = delete;

  std::vector<std::size_t> rows;       ///< rows with each level
  std::vector<std::string> occurring;  ///< empty if all levels occur, as in a file
  std::span<const std::string> texts;  ///< the levels that occur; points into the column
  std::size_t values = 0;              ///< rows with a value
};

bool is_plain_number(const std::string& text) {
  const auto number = parse_number(text);
  return number && !std::isnan(*number);
}

/// The parts of a date column, one column each, under names that the table does not use yet; the hour only if a cell
/// has a time.
std::vector<Column> date_columns(const Table& table, const Column& from, TextFormat format,
                                 const std::unordered_set<std::string>& taken) {
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
    std::string name = fmt::format("{} {}", from.name, date_part_name(part));
    while (taken.contains(name)) name += "_";
    columns.push_back(date_column(table, from, std::move(name), format));
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
            fmt::format("column '{}' is a target, a weight or a category and cannot also be numeric", column));
      numeric_.insert(column);
    }
    for (const Column& column : table.columns) taken_.insert(column.name);
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
      convert_column(table_, column, format);
    }
    column.format.others_missing = true;
    into.push_back(std::move(column));
  }

  void read_text(Column& column, std::vector<Column>& into) {
    const TextSummary summary(column);
    if (auto format = find_number_format(summary.texts); format && *format != TextFormat{}) {
      format->missing = options_.missing_values;
      const std::string& text = *std::ranges::find_if_not(summary.texts, is_plain_number);
      found_.converted.push_back({column.name, text, fmt::format("{}", *parse_number(text, *format)), false});
      convert_column(table_, column, *format);
      return into.push_back(std::move(column));
    }
    TextFormat dates{.missing = options_.missing_values, .order = find_date_order(summary.texts)};
    if (dates.is_date()) {
      const std::string& text = summary.texts.front();
      found_.converted.push_back({column.name, text, show_date(*parse_date(text, dates.order)), true});
      for (Column& part : date_columns(table_, column, dates, taken_)) into.push_back(std::move(part));
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
    for (const std::string& text : summary.texts)
      if (!is_plain_number(text)) found.others.push_back(text);
    found_.nearly_numeric.push_back(std::move(found));
    return true;
  }

  Table& table_;
  const RecogniseOptions& options_;
  std::unordered_set<std::string> keep_, numeric_, taken_;
  RecognisedColumns found_;
};

}  // namespace

RecognisedColumns recognise_columns(Table& table, const RecogniseOptions& options) {
  return Recogniser(table, options).run();
}

}  // namespace accrete::data
