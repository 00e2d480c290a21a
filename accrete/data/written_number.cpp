#include "accrete/data/written_number.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "accrete/data/table.hpp"

namespace accrete::data {
namespace {

constexpr double all_whole_below = 9007199254740992.0;  // 2^53

/// A finite number other than 0, as 0.digits times 10^exponent; no digit at either end is 0.
struct Decimal {
  long long exponent = 0;
  std::string digits;
};

Decimal decimal_of(std::string_view text) {
  const auto e = text.find_first_of("eE");
  Decimal result;
  bool after_point = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') after_point = true;
    if (c < '0' || c > '9') continue;
    const bool leading = result.digits.empty() && c == '0';
    if (!leading) result.digits += c;
    result.exponent += !after_point && !leading ? 1 : after_point && leading ? -1 : 0;
  }
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  if (e == std::string_view::npos) return result;
  auto written = text.substr(e + 1);
  if (written.starts_with('+')) written.remove_prefix(1);
  long long exponent = 0;
  std::from_chars(written.data(), written.data() + written.size(), exponent);
  result.exponent += exponent;
  return result;
}

}  // namespace

std::weak_ordering compare(const WrittenNumber& a, const WrittenNumber& b) {
  if (a.value != b.value) return a.value < b.value ? std::weak_ordering::less : std::weak_ordering::greater;
  if (std::abs(a.value) < all_whole_below || std::isinf(a.value)) return std::weak_ordering::equivalent;
  const bool negative = a.value < 0.0;  // then the larger size is the lesser number
  const Decimal left = decimal_of(negative ? b.text : a.text), right = decimal_of(negative ? a.text : b.text);
  if (left.exponent != right.exponent) return left.exponent <=> right.exponent;
  return left.digits.compare(right.digits) <=> 0;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  std::int64_t whole = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc{} && stop == text.data() + text.size()) return whole;
  const auto number = parse_number(text);
  if (!number || !(std::abs(*number) < all_whole_below) || *number != std::trunc(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace accrete::data
