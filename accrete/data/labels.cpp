#include "accrete/data/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/data/written_number.hpp"

namespace accrete::data {
namespace {

/// Whole numbers take no exponent, as no one writes a class label with one.
std::string format_number(float value) {
  char digits[64];
  const bool whole = value == std::trunc(value) && std::fabs(value) < 1e15f;
  const auto end = whole ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed)
                         : std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

[[noreturn]] void throw_missing(const Table& table, const Column& column, std::size_t row) {
  throw core::DataError(place(table, row, column.name) + ": the target is missing");
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

/// The number that a level is, or NaN; "nan" is none.
double number_or_nan(const std::string& level) {
  return parse_number(level).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> number_of(const std::string& level) {
  const double number = number_or_nan(level);
  if (std::isnan(number)) return std::nullopt;
  return number;
}

constexpr std::uint32_t unmet = std::numeric_limits<std::uint32_t>::max();

Labels read_text(const Table& table, const Column& column) {
  Labels result;
  result.of_row.reserve(column.codes.size());
  std::vector<std::uint32_t> index(column.levels.size(), unmet);
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    if (column.codes[r] < 0) throw_missing(table, column, r);
    const auto code = static_cast<std::size_t>(column.codes[r]);
    if (index[code] == unmet) {
      index[code] = static_cast<std::uint32_t>(result.labels.size());
      result.labels.push_back({column.levels[code], number_of(column.levels[code]), r});
    }
    result.of_row.push_back(index[code]);
  }
  return result;
}

/// Sorts.
template <class Number, class Less = std::less<>>
std::size_t count_distinct(std::vector<Number>& numbers, Less less = {}) {
  std::sort(numbers.begin(), numbers.end(), less);
  const auto same = [&](const Number& a, const Number& b) { return !less(a, b); };
  return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end(), same) - numbers.begin());
}

bool is_less(const WrittenNumber& a, const WrittenNumber& b) {
  return compare(a, b) < 0;
}

/// Of the levels that rows have, all of them numbers.
std::size_t count_written(const std::vector<std::string>& levels, const std::vector<char>& met) {
  std::vector<WrittenNumber> written;
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (met[l]) written.push_back({levels[l], number_or_nan(levels[l])});
  return count_distinct(written, is_less);
}

LabelKinds kinds_of_numbers(const Column& column) {
  LabelKinds kinds;
  for (const float x : column.numbers) kinds.whole = kinds.whole && x == std::trunc(x);
  std::vector<float> numbers(column.numbers.begin(), column.numbers.end());
  kinds.distinct = kinds.numbers = count_distinct(numbers);
  return kinds;
}

LabelKinds kinds_of_texts(const Column& column) {
  LabelKinds kinds;
  std::vector<char> met(column.levels.size(), 0);
  std::vector<double> numbers;
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const auto code = static_cast<std::size_t>(column.codes[r]);
    if (std::exchange(met[code], 1)) continue;
    ++kinds.distinct;
    if (const auto number = number_of(column.levels[code])) {
      ++kinds.numbers;
      kinds.whole = kinds.whole && *number == std::trunc(*number);
      if (!kinds.no_number) numbers.push_back(*number);
    } else if (!kinds.no_number) {
      kinds.no_number = Label{column.levels[code], std::nullopt, r};
    }
  }
  if (kinds.numbers < kinds.distinct) return kinds;
  // Levels that are one double may be two whole numbers all the same; where all are different doubles there is no need
  // to look.
  const std::size_t doubles = count_distinct(numbers);
  if (doubles < kinds.distinct) kinds.distinct = count_written(column.levels, met);
  return kinds;
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

/// The numbers that the rows' levels are.
std::vector<double> numbers_of_texts(const Table& table, const Column& column) {
  std::vector<double> of_level(column.levels.size()), numbers(column.codes.size());
  std::ranges::transform(column.levels, of_level.begin(), number_or_nan);
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const auto code = static_cast<std::size_t>(column.codes[r]);
    numbers[r] = of_level[code];
    if (std::isnan(numbers[r]))
      throw core::UsageError(fmt::format("{}: '{}' is not a number, as a regression target must be",
                                         place(table, r, column.name), column.levels[code]));
  }
  return numbers;
}

WrittenNumber written(const Label& label) {
  return {label.text, *label.number};
}

[[noreturn]] void throw_infinite_target(const Table& table, const Column& column, std::size_t row) {
  throw core::DataError(place(table, row, column.name) + ": the target is infinite");
}

}  // namespace

bool Labels::all_numbers() const {
  return std::all_of(labels.begin(), labels.end(), [](const Label& label) { return label.number.has_value(); });
}

Labels read_labels(const Table& table, std::size_t column) {
  const Column& from = table.columns[column];
  return from.kind == Column::Kind::numeric ? read_numeric(table, from) : read_text(table, from);
}

LabelKinds kinds_of_labels(const Table& table, std::size_t column) {
  const Column& from = table.columns[column];
  refuse_missing(table, from);
  return from.kind == Column::Kind::numeric ? kinds_of_numbers(from) : kinds_of_texts(from);
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
    return numbers ? is_less(written(left), written(right)) : left.text < right.text;
  });
  Classes classes{{}, std::vector<std::size_t>(order.size())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Label& label = labels.labels[order[i]];
    const bool same = i > 0 && numbers && compare(written(label), written(labels.labels[order[i - 1]])) == 0;
    if (!same) classes.names.push_back(label.text);
    classes.of_label[order[i]] = classes.names.size() - 1;
  }
  return classes;
}

}  // namespace accrete::data
