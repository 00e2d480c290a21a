#include "accrete/data/recognise/decimal_text.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "accrete/data/table.hpp"

namespace accrete::data {
namespace {

constexpr double max_exact_integer = 9007199254740992.0;  // 2^53

/// A finite nonzero number as 0.digits * 10^exponent, without leading or trailing zeros.
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
  auto exponent_text = text.substr(e + 1);
  if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  long long exponent = 0;
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  result.exponent += exponent;
  return result;
}

}  // namespace

std::weak_ordering compare(const DecimalText& a, const DecimalText& b) {
  if (a.value != b.value) return a.value < b.value ? std::weak_ordering::less : std::weak_ordering::greater;
  if (std::abs(a.value) < max_exact_integer || std::isinf(a.value)) return std::weak_ordering::equivalent;
  const bool negative = a.value < 0.0;  // of two negative numbers, the larger magnitude is the smaller number
  const Decimal left = decimal_of(negative ? b.text : a.text), right = decimal_of(negative ? a.text : b.text);
  if (left.exponent != right.exponent) return left.exponent <=> right.exponent;
  return left.digits.compare(right.digits) <=> 0;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t integer = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc{} && stop == text.data() + text.size()) return integer;
  const auto number = parse_number(text);
  if (!number || !(std::abs(*number) < max_exact_integer) || *number != std::trunc(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace accrete::data
