#pragma once
// Numbers that are compared by their decimal text where double has too few digits.

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace accrete::data {

/// A text and its value by parse_number, which is not NaN.
struct DecimalText {
  std::string_view text;
  double value = 0.0;
};

/// By value; from 2^53 on, where double cannot hold every integer, equal values are compared by their digits:
/// 9007199254740992 is less than 9007199254740993, and 1e17 equals 100000000000000000.
std::weak_ordering compare(const DecimalText& a, const DecimalText& b);

/// The exact integer that the text spells ("7", "-7.0", "1e3"); nothing if it spells none or it cannot be exact.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace accrete::data
