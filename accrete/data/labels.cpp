#include "accrete/data/labels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "accrete/core/error.hpp"

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

Labels read_numeric(const Table& table, const Column& column) {
  Labels result;
  std::unordered_map<float, std::size_t> index;
  for (std::size_t r = 0; r < column.numbers.size(); ++r) {
    const float value = column.numbers[r];
    if (std::isnan(value)) throw core::DataError(place(table, r, column.name) + ": the target is missing");
    const auto [at, is_new] = index.try_emplace(value, result.labels.size());
    if (is_new) result.labels.push_back({format_number(value), value, r});
    result.of_row.push_back(at->second);
  }
  return result;
}

Labels read_text(const Table& table, const Column& column) {
  constexpr std::size_t unmet = static_cast<std::size_t>(-1);
  Labels result;
  std::vector<std::size_t> index(column.levels.size(), unmet);
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    if (column.codes[r] < 0) throw core::DataError(place(table, r, column.name) + ": the target is missing");
    const auto code = static_cast<std::size_t>(column.codes[r]);
    if (index[code] == unmet) {
      index[code] = result.labels.size();
      auto number = parse_number(column.levels[code]);
      if (number && std::isnan(*number)) number.reset();
      result.labels.push_back({column.levels[code], number, r});
    }
    result.of_row.push_back(index[code]);
  }
  return result;
}

}  // namespace

bool Labels::all_numbers() const {
  return std::all_of(labels.begin(), labels.end(), [](const Label& label) { return label.number.has_value(); });
}

Labels read_labels(const Table& table, std::size_t column) {
  const Column& from = table.columns[column];
  return from.kind == Column::Kind::numeric ? read_numeric(table, from) : read_text(table, from);
}

void refuse_infinity(const Table& table, const Column& column, const Labels& labels) {
  for (const auto& label : labels.labels)
    if (label.number && std::isinf(*label.number))
      throw core::DataError(place(table, label.first_row, column.name) + ": the target is infinite");
}

Classes sort_classes(const Labels& labels) {
  const bool numbers = labels.all_numbers();
  std::vector<std::size_t> order(labels.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Label& left = labels.labels[a];
    const Label& right = labels.labels[b];
    return numbers ? *left.number < *right.number : left.text < right.text;
  });
  Classes classes{{}, std::vector<std::size_t>(order.size())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Label& label = labels.labels[order[i]];
    const bool same = i > 0 && numbers && *label.number == *labels.labels[order[i - 1]].number;
    if (!same) classes.names.push_back(label.text);
    classes.of_label[order[i]] = classes.names.size() - 1;
  }
  return classes;
}

}  // namespace accrete::data
