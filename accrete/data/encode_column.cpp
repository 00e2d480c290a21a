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

/// Calls write(values of the feature in a tile, position of its first row, rows in it) for every tile.
template <class Write>
void for_each_tile(const Source& from, core::TiledMatrix& out, std::size_t feature, Write&& write) {
  const std::size_t t = out.tile_rows();
  for (std::size_t first = from.first; first < from.last; first += t)
    write(out.tile(first / t) + feature * t, first, std::min(t, from.last - first));
}

/// A text column read as the numbers it spells, one per level; a file whose column is all gaps spells none.
std::vector<float> numbers_of_levels(const Source& from) {
  const auto& levels = from.column.levels;
  std::vector<float> numbers(levels.size(), missing);
  std::vector<char> spelt(levels.size(), 0);
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (const auto number = spelt_number(levels[l])) numbers[l] = *number, spelt[l] = 1;
  for (std::size_t i = from.first; i < from.last; ++i) {
    const std::size_t row = from.rows[i];
    const auto code = from.column.codes[row];
    if (code >= 0 && !spelt[static_cast<std::size_t>(code)])
      throw core::DataError(fmt::format("{}: '{}' is not a number; the model needs numbers here",
                                        place(from.table, row, from.column.name),
                                        levels[static_cast<std::size_t>(code)]));
  }
  return numbers;
}

/// number_at(row) is NaN where missing. Numbers are gathered a tile at a time, so that the arithmetic on them
/// is a plain loop the compiler can make vector code of.
template <class NumberAt>
void encode_numbers(const Input& input, const Source& from, std::size_t feature, core::TiledMatrix& out,
                    NumberAt&& number_at) {
  std::vector<float> numbers(out.tile_rows());
  for_each_tile(from, out, feature, [&](float* values, std::size_t first, std::size_t count) {
    const float* x = numbers.data();
    for (std::size_t j = 0; j < count; ++j) numbers[j] = number_at(from.rows[first + j]);
    int infinite = 0;
    for (std::size_t j = 0; j < count; ++j) infinite |= std::abs(x[j]) > std::numeric_limits<float>::max();
    for (std::size_t j = 0; infinite && j < count; ++j)
      if (std::isinf(x[j])) throw_infinite(from.table, from.column, from.rows[first + j]);
    for (std::size_t j = 0; j < count; ++j) values[j] = standardised(input, x[j]);
    if (!input.indicator) return;
    float* gaps = values + out.tile_rows();
    for (std::size_t j = 0; j < count; ++j) gaps[j] = std::isnan(x[j]) ? 1.0f : 0.0f;
  });
}

constexpr std::int32_t unseen_level = -2;

/// level_at(row) is a place among the input's levels, unseen_level, or -1 where missing.
template <class LevelAt>
void encode_levels(const Input& input, const Source& from, std::size_t feature, core::TiledMatrix& out,
                   LevelAt&& level_at) {
  std::vector<OneHot> hot;
  for (std::size_t l = 0; l < input.levels.size(); ++l) hot.push_back(one_hot(input, l));
  const std::size_t t = out.tile_rows();
  for_each_tile(from, out, feature, [&](float* values, std::size_t first, std::size_t count) {
    for (std::size_t l = 0; l < hot.size(); ++l)
      if (hot[l].off != 0.0f) std::fill_n(values + l * t, count, hot[l].off);
    for (std::size_t j = 0; j < count; ++j) {
      const std::int32_t level = level_at(from.rows[first + j]);
      if (level >= 0)
        values[static_cast<std::size_t>(level) * t + j] = hot[static_cast<std::size_t>(level)].on;
      else if (level == -1 && input.indicator)
        values[hot.size() * t + j] = 1.0f;
    }
  });
}

void encode_text(const Input& input, const Source& from, std::size_t feature, core::TiledMatrix& out) {
  std::unordered_map<std::string_view, std::int32_t> known;
  for (std::size_t l = 0; l < input.levels.size(); ++l) known.emplace(input.levels[l], static_cast<std::int32_t>(l));
  std::vector<std::int32_t> level_of_code;
  for (const auto& text : from.column.levels) {
    const auto found = known.find(text);
    level_of_code.push_back(found == known.end() ? unseen_level : found->second);
  }
  encode_levels(input, from, feature, out, [&](std::size_t row) {
    const auto code = from.column.codes[row];
    return code < 0 ? -1 : level_of_code[static_cast<std::size_t>(code)];
  });
}

/// Categories that are all digits in this file were read as numbers. A number means the level that spells it
/// the shortest way, or else one that spells it otherwise ("007").
void encode_numbers_as_levels(const Input& input, const Source& from, std::size_t feature, core::TiledMatrix& out) {
  std::unordered_map<float, std::int32_t> known;
  for (std::size_t l = 0; l < input.levels.size(); ++l) {
    const auto number = spelt_number(input.levels[l]);
    if (!number || std::isnan(*number)) continue;
    if (shortest(*number) == input.levels[l])
      known[*number] = static_cast<std::int32_t>(l);
    else
      known.emplace(*number, static_cast<std::int32_t>(l));
  }
  encode_levels(input, from, feature, out, [&](std::size_t row) {
    const float x = from.column.numbers[row];
    if (std::isnan(x)) return -1;
    if (std::isinf(x)) throw_infinite(from.table, from.column, row);
    const auto found = known.find(x);
    return found == known.end() ? unseen_level : found->second;
  });
}

}  // namespace

void throw_infinite(const Table& table, const Column& column, std::size_t row) {
  throw core::DataError(place(table, row, column.name) + " is infinite; only finite numbers can be used");
}

void encode_column(const Input& input, const Source& from, std::size_t feature, core::TiledMatrix& out) {
  const Column& column = from.column;
  const bool text = column.kind == Column::Kind::text;
  if (input.kind == Column::Kind::text) {
    text ? encode_text(input, from, feature, out) : encode_numbers_as_levels(input, from, feature, out);
  } else if (text) {
    const std::vector<float> numbers = numbers_of_levels(from);
    encode_numbers(input, from, feature, out, [&](std::size_t row) {
      return column.codes[row] < 0 ? missing : numbers[static_cast<std::size_t>(column.codes[row])];
    });
  } else {
    encode_numbers(input, from, feature, out, [&](std::size_t row) { return column.numbers[row]; });
  }
}

}  // namespace accrete::data
