#pragma once
// Compares numbers by their decimal text if double has too few digits.

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace accrete::data {

/// A text and its parse_number value, which must not be NaN.
struct DecimalText {
  std::string_view text;
  double value = 0.0;
};

/// Compares values; from 2^53 on, where double cannot represent every integer, equal values are compared by their
/// digits: 9007199254740992 is less than 9007199254740993, and 1e17 equals 100000000000000000.
std::weak_ordering compare(const DecimalText& a, const DecimalText& b);

/// The text as an exact integer ("7", "-7.0", "1e3"); unset if it is not an integer or not exact.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace accrete::data
