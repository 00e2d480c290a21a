#include "arrow_format.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::python {
namespace {

constexpr std::pair<std::string_view, Storage> plain[] = {
    {"n", Storage::null},    {"b", Storage::boolean}, {"c", Storage::int8},       {"C", Storage::uint8},
    {"s", Storage::int16},   {"S", Storage::uint16},  {"i", Storage::int32},      {"I", Storage::uint32},
    {"l", Storage::int64},   {"L", Storage::uint64},  {"e", Storage::float16},    {"f", Storage::float32},
    {"g", Storage::float64}, {"u", Storage::utf8},    {"U", Storage::large_utf8}, {"vu", Storage::utf8_view},
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
std::optional<Format> decimal(std::string_view format) {
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
  if (bits == 32) return Format{Storage::decimal32, scale};
  if (bits == 64) return Format{Storage::decimal64, scale};
  if (bits == 128) return Format{Storage::decimal128, scale};
  return std::nullopt;
}

/// "tdD", "tdm" and "ts" with a unit and a time zone, which is ignored: dates are read as written.
std::optional<Format> date(std::string_view format) {
  if (format == "tdD") return Format{Storage::date32, 0};
  if (format == "tdm") return Format{Storage::timestamp, 3};
  constexpr std::pair<std::string_view, int> units[] = {{"tss:", 0}, {"tsm:", 3}, {"tsu:", 6}, {"tsn:", 9}};
  for (const auto& [start, digits] : units)
    if (format.starts_with(start)) return Format{Storage::timestamp, digits};
  return std::nullopt;
}

}  // namespace

Format format_of(const ArrowSchema& schema, std::string_view column) {
  const std::string_view format = schema.format ? schema.format : "";
  for (const auto& [code, storage] : plain)
    if (format == code) return {storage, 0};
  if (format.starts_with("d:"))
    if (const auto found = decimal(format)) return *found;
  if (const auto found = date(format)) return *found;
  throw core::DataError(
      fmt::format("X: column '{}' holds {}; convert it to numbers or text first", column, describe_format(format)));
}

bool is_text(Storage storage) {
  return storage == Storage::utf8 || storage == Storage::large_utf8 || storage == Storage::utf8_view ||
         storage == Storage::date32 || storage == Storage::timestamp;
}

bool is_integer(Storage storage) {
  return storage >= Storage::int8 && storage <= Storage::uint64;
}

}  // namespace accrete::python
