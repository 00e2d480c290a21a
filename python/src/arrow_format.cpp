#include "arrow_format.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::python {
namespace {

constexpr std::pair<std::string_view, ArrowStorage> plain[] = {
    {"n", ArrowStorage::null},       {"b", ArrowStorage::boolean}, {"c", ArrowStorage::int8},
    {"C", ArrowStorage::uint8},      {"s", ArrowStorage::int16},   {"S", ArrowStorage::uint16},
    {"i", ArrowStorage::int32},      {"I", ArrowStorage::uint32},  {"l", ArrowStorage::int64},
    {"L", ArrowStorage::uint64},     {"e", ArrowStorage::float16}, {"f", ArrowStorage::float32},
    {"g", ArrowStorage::float64},    {"u", ArrowStorage::utf8},    {"U", ArrowStorage::large_utf8},
    {"vu", ArrowStorage::utf8_view},
};

/// Prefix of a format string, and the name of the type in messages.
constexpr std::pair<std::string_view, std::string_view> unsupported[] = {
    {"tt", "times of day"}, {"tD", "durations"}, {"ti", "intervals"},     {"+s", "structs"},  {"+m", "maps"},
    {"+u", "unions"},       {"+r", "runs"},      {"+", "lists"},          {"z", "raw bytes"}, {"Z", "raw bytes"},
    {"vz", "raw bytes"},    {"w", "raw bytes"},  {"d:", "wide decimals"},
};

std::string describe_format(std::string_view format) {
  for (const auto& [start, words] : unsupported)
    if (format.starts_with(start)) return fmt::format("{} (Arrow type '{}')", words, format);
  return fmt::format("the Arrow type '{}'", format);
}

/// Parses "d:precision,scale[,bits]"; bits is 128 by default. Rejects scales beyond 100 digits.
std::optional<ArrowFormat> decimal(std::string_view format) {
  int numbers[] = {0, 0, 128};
  const char* at = format.data() + 2;
  const char* const end = format.data() + format.size();
  int count = 0;
  while (count < 3) {
    const auto [stop, error] = std::from_chars(at, end, numbers[count]);
    if (error != std::errc{}) return std::nullopt;
    ++count;
    at = stop;
    if (at == end || *at++ != ',') break;
  }
  const auto [digits, scale, bits] = numbers;
  if (at != end || count < 2 || digits < 1 || scale < -100 || scale > 100) return std::nullopt;
  if (bits == 32) return ArrowFormat{ArrowStorage::decimal32, scale};
  if (bits == 64) return ArrowFormat{ArrowStorage::decimal64, scale};
  if (bits == 128) return ArrowFormat{ArrowStorage::decimal128, scale};
  return std::nullopt;
}

/// "tdD", "tdm" and "ts" with a unit and a time zone, which is ignored: the numbers are in UTC.
std::optional<ArrowFormat> date(std::string_view format) {
  if (format == "tdD") return ArrowFormat{ArrowStorage::date32, 0};
  if (format == "tdm") return ArrowFormat{ArrowStorage::timestamp, 3};
  constexpr std::pair<std::string_view, int> units[] = {{"tss:", 0}, {"tsm:", 3}, {"tsu:", 6}, {"tsn:", 9}};
  for (const auto& [start, digits] : units)
    if (format.starts_with(start)) return ArrowFormat{ArrowStorage::timestamp, digits};
  return std::nullopt;
}

}  // namespace

ArrowFormat format_of(const ArrowSchema& schema, std::string_view column) {
  const std::string_view format = schema.format ? schema.format : "";
  for (const auto& [code, storage] : plain)
    if (format == code) return {storage, 0};
  if (format.starts_with("d:"))
    if (const auto found = decimal(format)) return *found;
  if (const auto found = date(format)) return *found;
  throw core::DataError(
      fmt::format("X: column '{}' holds {}; convert it to numbers or text first", column, describe_format(format)));
}

bool is_text(ArrowStorage storage) {
  return storage == ArrowStorage::utf8 || storage == ArrowStorage::large_utf8 || storage == ArrowStorage::utf8_view ||
         storage == ArrowStorage::date32 || storage == ArrowStorage::timestamp;
}

bool is_integer(ArrowStorage storage) {
  return storage >= ArrowStorage::int8 && storage <= ArrowStorage::uint64;
}

}  // namespace accrete::python
