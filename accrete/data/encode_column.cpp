#include "accrete/data/encode_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/data/ramp_kernel.hpp"

namespace accrete::data {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// The number a text spells in full, or nothing.
std::optional<float> spelt_number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return static_cast<float>(value);
}

/// 3 is "3" and 0.1f is "0.1".
std::string shortest(float x) {
  if (x == std::floor(x) && std::abs(x) < 1e15f) return fmt::format("{:.0f}", x + 0.0f);
  return fmt::format("{}", x);
}

/// A text column read as the numbers it spells, one per level; a file whose column is all gaps spells none.
std::vector<float> numbers_of_levels(const Source& from) {
  const auto& levels = from.column.levels;
  std::vector<float> numbers(levels.size(), missing);
  std::vector<char> spelt(levels.size(), 0);
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (const auto number = spelt_number(levels[l])) numbers[l] = *number, spelt[l] = 1;
  for (std::size_t i = 0; i < from.rows.count; ++i) {
    const std::size_t row = from.rows[i];
    const auto code = from.column.codes[row];
    if (code >= 0 && !spelt[static_cast<std::size_t>(code)])
      throw core::DataError(fmt::format("{}: '{}' is not a number; the model needs numbers here",
                                        place(from.table, row, from.column.name),
                                        levels[static_cast<std::size_t>(code)]));
  }
  return numbers;
}

constexpr std::int32_t unseen_level = -2;

/// Categories that are all digits in this file were read as numbers. A number means the level that spells it
/// the shortest way, or else one that spells it otherwise ("007").
std::unordered_map<float, std::int32_t> levels_by_number(const Input& input) {
  std::unordered_map<float, std::int32_t> known;
  for (std::size_t l = 0; l < input.levels.size(); ++l) {
    const auto number = spelt_number(input.levels[l]);
    if (!number || std::isnan(*number)) continue;
    if (shortest(*number) == input.levels[l])
      known[*number] = static_cast<std::int32_t>(l);
    else
      known.emplace(*number, static_cast<std::int32_t>(l));
  }
  return known;
}

/// A text means the level that it is, or else one that is the same number: "1.0" in one file is "1" in another.
std::vector<std::int32_t> levels_of_codes(const Input& input, const Column& column) {
  std::unordered_map<std::string_view, std::int32_t> known;
  for (std::size_t l = 0; l < input.levels.size(); ++l) known.emplace(input.levels[l], static_cast<std::int32_t>(l));
  const auto numbers = levels_by_number(input);
  const auto level_of = [&](const std::string& text) {
    if (const auto same = known.find(text); same != known.end()) return same->second;
    const auto number = spelt_number(text);
    const auto equal = number ? numbers.find(*number) : numbers.end();
    return equal == numbers.end() ? unseen_level : equal->second;
  };
  std::vector<std::int32_t> level_of_code;
  for (const auto& text : column.levels) level_of_code.push_back(level_of(text));
  return level_of_code;
}

}  // namespace

void throw_infinite(const Table& table, const Column& column, std::size_t row) {
  throw core::DataError(place(table, row, column.name) + " is infinite; only finite numbers can be used");
}

/// The number itself comes last, since it may be written over x.
bool encode_numbers(const NumberFeatures& by, const float* x, std::size_t count, float* values, std::size_t stride) {
  float* next = values + stride;
  if (by.form == BinForm::ramps) {
    for (std::size_t j = 0; j < by.ramps.size(); ++j, next += stride) ramp_column(by.ramps[j], x, count, next);
  } else if (by.ramps.size() > 0) {
    std::copy_n(x, count, next);
    next += stride;
  }
  return standardise_column(by.standard, x, count, values, by.indicator ? next : nullptr);
}

ColumnEncoder::ColumnEncoder(const Input& input, const Source& from, BinForm form)
    : input_(input), from_(from), standard_(standard_of(input)), ramps_(input), form_(form) {
  const bool text = from.column.kind == Column::Kind::text;
  if (input.kind == Column::Kind::numeric) {
    if (text) number_of_code_ = numbers_of_levels(from);
    return;
  }
  for (std::size_t l = 0; l < input.levels.size(); ++l) hot_.push_back(one_hot(input, l));
  if (text)
    level_of_code_ = levels_of_codes(input, from.column);
  else
    level_named_ = levels_by_number(input);
}

bool ColumnEncoder::encode(std::size_t first, std::size_t count, float* values, std::size_t stride) const {
  return input_.kind == Column::Kind::numeric ? encode_numbers(first, count, values, stride)
                                              : encode_levels(first, count, values, stride);
}

void ColumnEncoder::refuse(std::size_t first, std::size_t count) const {
  if (from_.column.kind == Column::Kind::text && input_.kind == Column::Kind::text) return;
  for (std::size_t i = first; i < first + count; ++i)
    if (std::isinf(number_at(from_.rows[i]))) throw_infinite(from_.table, from_.column, from_.rows[i]);
}

/// NaN where missing.
float ColumnEncoder::number_at(std::size_t row) const {
  if (from_.column.kind == Column::Kind::numeric) return from_.column.numbers[row];
  const auto code = from_.column.codes[row];
  return code < 0 ? missing : number_of_code_[static_cast<std::size_t>(code)];
}

/// A place among the input's levels, unseen_level, or -1 where missing.
std::int32_t ColumnEncoder::level_at(std::size_t row) const {
  if (from_.column.kind == Column::Kind::text) {
    const auto code = from_.column.codes[row];
    return code < 0 ? -1 : level_of_code_[static_cast<std::size_t>(code)];
  }
  const float x = from_.column.numbers[row];
  if (std::isnan(x)) return -1;
  const auto found = level_named_.find(x);
  return found == level_named_.end() ? unseen_level : found->second;
}

float ColumnEncoder::raw(std::size_t i) const {
  const std::size_t row = from_.rows[i];
  if (input_.kind == Column::Kind::numeric) return number_at(row);
  const std::int32_t level = level_at(row);
  return level == -1 ? missing : level == unseen_level ? -1.0f : static_cast<float>(level);
}

/// Numbers that do not lie side by side are gathered first: the arithmetic on them is vector code.
bool ColumnEncoder::encode_numbers(std::size_t first, std::size_t count, float* values, std::size_t stride) const {
  const NumberFeatures features{standard_, ramps_, input_.indicator, form_};
  if (from_.column.kind == Column::Kind::numeric && !from_.rows.listed)
    return data::encode_numbers(features, from_.column.numbers.data() + first, count, values, stride);
  for (std::size_t j = 0; j < count; ++j) values[j] = number_at(from_.rows[first + j]);
  return data::encode_numbers(features, values, count, values, stride);
}

bool ColumnEncoder::encode_levels(std::size_t first, std::size_t count, float* values, std::size_t stride) const {
  for (std::size_t l = 0; l < hot_.size(); ++l) std::fill_n(values + l * stride, count, hot_[l].off);
  float* gaps = values + hot_.size() * stride;
  if (input_.indicator) std::fill_n(gaps, count, 0.0f);
  bool finite = true;
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t row = from_.rows[first + j];
    const std::int32_t level = level_at(row);
    if (level >= 0)
      values[static_cast<std::size_t>(level) * stride + j] = hot_[static_cast<std::size_t>(level)].on;
    else if (level == -1 && input_.indicator)
      gaps[j] = 1.0f;
    else if (level == unseen_level && from_.column.kind == Column::Kind::numeric)
      finite = finite && !std::isinf(from_.column.numbers[row]);
  }
  return finite;
}

}  // namespace accrete::data
