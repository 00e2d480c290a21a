#pragma once
// Numbers as they are written, where that says more than the double they are read as.

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace accrete::data {

/// A text with the number that parse_number makes of it, which is not NaN.
struct WrittenNumber {
  std::string_view text;
  double value = 0.0;
};

/// By value; beyond 2^53, where double leaves whole numbers out, equal values are told apart by their digits. So
/// 9007199254740992 is less than 9007199254740993, and 1e17 is 100000000000000000.
std::weak_ordering compare(const WrittenNumber& a, const WrittenNumber& b);

/// The text as a whole number ("7", "-7.0", "1e3"), to the last digit; nothing when it is none or cannot be had
/// exactly.
std::optional<std::int64_t> parse_whole(std::string_view text);

}  // namespace accrete::data
