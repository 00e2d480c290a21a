#include "accrete/data/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/data/location.hpp"
#include "accrete/data/missing.hpp"

namespace accrete::data {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "a, b, c", truncated for wide tables to keep a message on one readable line.
std::string list_columns(const std::vector<Column>& columns) {
  constexpr std::size_t shown = 20;
  std::string text;
  for (std::size_t c = 0; c < std::min(columns.size(), shown); ++c) text += (c ? ", " : "") + columns[c].name;
  if (columns.size() > shown) text += fmt::format(", and {} more", columns.size() - shown);
  return text;
}

/// The exponent of a well-formed number, clamped to the range of int if it exceeds long long.
long long exponent_of(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  long long exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error == std::errc{}) return exponent;
  return digits.starts_with('-') ? -std::numeric_limits<int>::max() : std::numeric_limits<int>::max();
}

/// Infinity or 0 for a well-formed number outside the range of double; from_chars does not tell which.
double beyond_range(std::string_view number) {
  const double sign = number.starts_with('-') ? -1.0 : 1.0;
  const auto e = number.find_first_of("eE");
  const auto mantissa = number.substr(0, e);
  const auto first = static_cast<long long>(mantissa.find_first_of("123456789"));
  const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
  const long long exponent = e == std::string_view::npos ? 0 : exponent_of(number.substr(e + 1));
  return exponent + point - first > 0 ? sign * std::numeric_limits<double>::infinity() : sign * 0.0;
}

}  // namespace

std::optional<std::size_t> Table::find(std::string_view name) const {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].name == name) return c;
  return std::nullopt;
}

std::size_t Table::require(std::string_view name_or_index) const {
  if (const auto found = find(name_or_index)) return *found;
  long long index = 0;
  const char* end = name_or_index.data() + name_or_index.size();
  const auto [stop, error] = std::from_chars(name_or_index.data(), end, index);
  if (error == std::errc{} && stop == end && !name_or_index.empty()) {
    const auto count = static_cast<long long>(columns.size());
    if (index < 0) index += count;
    if (index >= 0 && index < count) return static_cast<std::size_t>(index);
  }
  std::string names;
  for (const Column& column : columns) names += (names.empty() ? "" : ", ") + column.name;
  throw core::UsageError(fmt::format("no column '{}' in {}; columns: {}{}", name_or_index, source,
                                     list_columns(columns), core::did_you_mean(name_or_index, names)));
}

Table Table::from_rows(core::MatrixView<const float> values, std::span<const std::string> names) {
  if (!names.empty() && names.size() != values.cols)
    throw core::UsageError(fmt::format("{} column names for {} columns", names.size(), values.cols));
  Table table{"data", std::vector<Column>(values.cols)};
  for (std::size_t c = 0; c < values.cols; ++c) {
    Column& column = table.columns[c];
    column.name = names.empty() ? fmt::format("x{}", c) : names[c];
    column.numbers.resize(values.rows);
  }
  for (std::size_t r = 0; r < values.rows; ++r)
    for (std::size_t c = 0; c < values.cols; ++c) {
      if (std::isinf(values(r, c)))
        throw core::DataError(core::message("{}: the value is infinite", location(table, r, table.columns[c].name)));
      table.columns[c].numbers[r] = values(r, c);
    }
  return table;
}

void Table::add_sparse(const SparseRows& values, std::span<const std::string> names) {
  if (!names.empty() && names.size() != values.columns)
    throw core::UsageError(fmt::format("{} column names for {} columns", names.size(), values.columns));
  if (!columns.empty() && rows() != values.rows())
    throw core::UsageError(fmt::format("{} sparse rows for a table of {} rows", values.rows(), rows()));
  if (values.rows() > std::numeric_limits<std::uint32_t>::max())
    throw core::UsageError(fmt::format("{} sparse rows; at most {} are possible", values.rows(),
                                       std::numeric_limits<std::uint32_t>::max()));
  const SparseRows by_column = values.transposed();
  columns.reserve(columns.size() + values.columns);
  for (std::size_t c = 0; c < values.columns; ++c) {
    Column column{.name = names.empty() ? fmt::format("x{}", c) : names[c]};
    SparseNumbers& sparse = column.sparse.emplace();
    sparse.size = values.rows();
    for (std::size_t e = by_column.starts[c]; e < by_column.starts[c + 1]; ++e) {
      const float x = by_column.values[e];
      if (!std::isfinite(x))
        throw core::DataError(core::message("{} is {}; a sparse column holds finite numbers only",
                                            location(*this, by_column.indices[e], column.name),
                                            std::isnan(x) ? "NaN" : "infinite"));
      if (x == 0.0f) continue;
      sparse.rows.push_back(by_column.indices[e]);
      sparse.values.push_back(x);
    }
    columns.push_back(std::move(column));
  }
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {  // from_chars accepts only a minus sign
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  // from_chars also accepts nan(payload).
  if (text.empty() || text.back() == ')') return std::nullopt;
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end) return std::nullopt;
  if (error == std::errc::result_out_of_range) return beyond_range(text);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

bool is_missing(std::string_view text) {
  const std::string_view word = trimmed(text);
  const auto same = [](char given, char lower) {
    return given == lower || (given >= 'A' && given <= 'Z' && given + ('a' - 'A') == lower);
  };
  for (const std::string_view missing : missing_words)
    if (std::equal(word.begin(), word.end(), missing.begin(), missing.end(), same)) return true;
  return false;
}

}  // namespace accrete::data
