#include "accrete/data/labels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/location.hpp"
#include "accrete/data/recognise/decimal_text.hpp"

namespace accrete::data {
namespace {

/// Writes integers without an exponent, as class labels are usually written.
std::string format_number(float value) {
  char digits[64];
  const bool integer = value == std::trunc(value) && std::fabs(value) < 1e15f;
  const auto end = integer ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed)
                           : std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

[[noreturn]] void throw_missing(const Table& table, const Column& column, std::size_t row) {
  throw core::DataError(core::message("{}: the target is missing", target_location(table, row, column.name)));
}

Labels read_numeric(const Table& table, const Column& column) {
  Labels result;
  result.of_row.reserve(column.numbers.size());
  std::unordered_map<float, std::uint32_t> index;
  for (std::size_t r = 0; r < column.numbers.size(); ++r) {
    const float value = column.numbers[r];
    if (std::isnan(value)) throw_missing(table, column, r);
    const auto [at, is_new] = index.try_emplace(value, static_cast<std::uint32_t>(result.labels.size()));
    if (is_new) result.labels.push_back({format_number(value), value, r});
    result.of_row.push_back(at->second);
  }
  return result;
}

/// The unambiguous number format of all levels, if any. "1,250" may be 1250 or 1.25, and another file might decide
/// differently.
TextFormat certain_format(const std::vector<std::string>& levels) {
  const auto format = find_number_format(levels);
  if (!format) return {};
  if (format->thousands != "," && format->thousands != ".") return *format;
  TextFormat other = *format;
  other.decimal = format->thousands.front();
  other.thousands.clear();
  const auto is_number = [&](const std::string& level) { return parse_number(level, other).has_value(); };
  return std::ranges::all_of(levels, is_number) ? TextFormat{} : *format;
}

/// Reads the levels of a target as numbers in a single format.
class LevelReader {
 public:
  explicit LevelReader(const std::vector<std::string>& levels) {
    const auto is_plain = [](const std::string& level) { return parse_number(level).has_value(); };
    if (!std::ranges::all_of(levels, is_plain)) format_ = certain_format(levels);
  }

  /// NaN if the level is not a number.
  double number_or_nan(const std::string& level) const {
    return parse_number(level, format_).value_or(std::numeric_limits<double>::quiet_NaN());
  }

  std::optional<double> number(const std::string& level) const {
    const double number = number_or_nan(level);
    if (std::isnan(number)) return std::nullopt;
    return number;
  }

 private:
  TextFormat format_;
};

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

Labels read_text(const Table& table, const Column& column) {
  Labels result;
  result.of_row.reserve(column.codes.size());
  const LevelReader reader(column.levels);
  std::vector<std::uint32_t> index(column.levels.size(), unseen);
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    if (column.codes[r] < 0) throw_missing(table, column, r);
    const auto code = static_cast<std::size_t>(column.codes[r]);
    if (index[code] == unseen) {
      index[code] = static_cast<std::uint32_t>(result.labels.size());
      result.labels.push_back({column.levels[code], reader.number(column.levels[code]), r});
    }
    result.of_row.push_back(index[code]);
  }
  return result;
}

/// Sorts the numbers.
template <class Number, class Less = std::less<>>
std::size_t count_distinct(std::vector<Number>& numbers, Less less = {}) {
  std::sort(numbers.begin(), numbers.end(), less);
  const auto same = [&](const Number& a, const Number& b) { return !less(a, b); };
  return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end(), same) - numbers.begin());
}

bool is_less(const DecimalText& a, const DecimalText& b) {
  return compare(a, b) < 0;
}

/// Number of distinct numbers among the levels that occur; all of them must be numbers.
std::size_t count_decimal_texts(const std::vector<std::string>& levels, const std::vector<char>& occurs) {
  std::vector<DecimalText> texts;
  const LevelReader reader(levels);
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (occurs[l]) texts.push_back({levels[l], reader.number_or_nan(levels[l])});
  return count_distinct(texts, is_less);
}

LabelSummary summarise_numbers(const Column& column) {
  LabelSummary summary;
  for (const float x : column.numbers) summary.integers = summary.integers && x == std::trunc(x);
  std::vector<float> numbers(column.numbers.begin(), column.numbers.end());
  summary.distinct = summary.numbers = count_distinct(numbers);
  return summary;
}

LabelSummary summarise_texts(const Column& column) {
  LabelSummary summary;
  const LevelReader reader(column.levels);
  std::vector<char> occurs(column.levels.size(), 0);
  std::vector<double> numbers;
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const auto code = static_cast<std::size_t>(column.codes[r]);
    if (std::exchange(occurs[code], 1)) continue;
    ++summary.distinct;
    if (const auto number = reader.number(column.levels[code])) {
      ++summary.numbers;
      summary.integers = summary.integers && *number == std::trunc(*number);
      if (!summary.not_number) numbers.push_back(*number);
    } else if (!summary.not_number) {
      summary.not_number = Label{column.levels[code], std::nullopt, r};
    }
  }
  if (summary.numbers < summary.distinct) return summary;
  // Levels equal as doubles may still be distinct integers.
  const std::size_t doubles = count_distinct(numbers);
  if (doubles < summary.distinct) summary.distinct = count_decimal_texts(column.levels, occurs);
  return summary;
}

void refuse_missing(const Table& table, const Column& column) {
  if (column.kind == Column::Kind::numeric) {
    for (std::size_t r = 0; r < column.numbers.size(); ++r)
      if (std::isnan(column.numbers[r])) throw_missing(table, column, r);
  } else {
    for (std::size_t r = 0; r < column.codes.size(); ++r)
      if (column.codes[r] < 0) throw_missing(table, column, r);
  }
}

/// The number of each row.
std::vector<double> numbers_of_texts(const Table& table, const Column& column) {
  std::vector<double> of_level(column.levels.size()), numbers(column.codes.size());
  const LevelReader reader(column.levels);
  std::ranges::transform(column.levels, of_level.begin(),
                         [&](const auto& level) { return reader.number_or_nan(level); });
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const auto code = static_cast<std::size_t>(column.codes[r]);
    numbers[r] = of_level[code];
    if (std::isnan(numbers[r]))
      throw core::UsageError(core::message("{}: '{}' is not a number; a regression target must be numeric",
                                           location(table, r, column.name), column.levels[code]));
  }
  return numbers;
}

DecimalText decimal_text(const Label& label) {
  return {label.text, *label.number};
}

[[noreturn]] void throw_infinite_target(const Table& table, const Column& column, std::size_t row) {
  throw core::DataError(core::message("{}: the target is infinite", target_location(table, row, column.name)));
}

}  // namespace

bool Labels::all_numbers() const {
  return std::all_of(labels.begin(), labels.end(), [](const Label& label) { return label.number.has_value(); });
}

Labels read_labels(const Table& table, std::size_t column) {
  const Column& from = table.columns[column];
  return from.kind == Column::Kind::numeric ? read_numeric(table, from) : read_text(table, from);
}

LabelSummary summarise_labels(const Table& table, std::size_t column) {
  const Column& from = table.columns[column];
  refuse_missing(table, from);
  return from.kind == Column::Kind::numeric ? summarise_numbers(from) : summarise_texts(from);
}

std::vector<double> read_numbers(const Table& table, std::size_t column) {
  const Column& from = table.columns[column];
  refuse_missing(table, from);
  std::vector<double> numbers;
  if (!from.exact.empty())
    numbers = from.exact;
  else if (from.kind == Column::Kind::numeric)
    numbers.assign(from.numbers.begin(), from.numbers.end());
  else
    numbers = numbers_of_texts(table, from);
  for (std::size_t r = 0; r < numbers.size(); ++r)
    if (std::isinf(numbers[r])) throw_infinite_target(table, from, r);
  return numbers;
}

void refuse_infinity(const Table& table, const Column& column, const Labels& labels) {
  for (const auto& label : labels.labels)
    if (label.number && std::isinf(*label.number)) throw_infinite_target(table, column, label.first_row);
}

Classes sort_classes(const Labels& labels) {
  const bool numbers = labels.all_numbers();
  std::vector<std::size_t> order(labels.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Label& left = labels.labels[a];
    const Label& right = labels.labels[b];
    return numbers ? is_less(decimal_text(left), decimal_text(right)) : left.text < right.text;
  });
  Classes classes{{}, std::vector<std::size_t>(order.size())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Label& label = labels.labels[order[i]];
    const bool same = i > 0 && numbers && compare(decimal_text(label), decimal_text(labels.labels[order[i - 1]])) == 0;
    if (!same) classes.names.push_back(label.text);
    classes.of_label[order[i]] = classes.names.size() - 1;
  }
  return classes;
}

}  // namespace accrete::data
