#include "accrete/data/encoder/level_numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace accrete::data {
namespace {

/// 3 is "3" and 0.1f is "0.1".
std::string shortest(float x) {
  if (x == std::floor(x) && std::abs(x) < 1e15f) return fmt::format("{:.0f}", x + 0.0f);
  return fmt::format("{}", x);
}

}  // namespace

std::optional<float> number_of_text(std::string_view text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return static_cast<float>(value);
}

std::unordered_map<float, float> levels_by_number(const Input& input) {
  std::unordered_map<float, float> known;
  for (std::size_t l = 0; l < input.levels.size(); ++l) {
    const auto number = number_of_text(input.levels[l]);
    if (!number || std::isnan(*number)) continue;
    if (shortest(*number) == input.levels[l])
      known[*number] = static_cast<float>(l);
    else
      known.emplace(*number, static_cast<float>(l));
  }
  return known;
}

std::vector<std::string> number_spellings(float number) {
  constexpr int zeros = 6;
  const std::string minus = number < 0.0f ? "-" : "", digits = shortest(std::abs(number));
  std::vector<std::string> unsigned_spellings{digits};
  const bool has_exponent = digits.find_first_of("en") != digits.npos;  // 1e+20, inf
  const bool whole = digits.find('.') == digits.npos;
  if (!has_exponent) {
    if (whole) unsigned_spellings.push_back(digits + ".");
    for (int i = 1; i <= zeros; ++i)
      unsigned_spellings.push_back(digits + (whole ? "." : "") + std::string(static_cast<std::size_t>(i), '0'));
    if (digits.starts_with("0.")) unsigned_spellings.push_back(digits.substr(1));
    unsigned_spellings.push_back("0" + digits);
  }
  std::vector<std::string> spellings;
  for (const std::string& text : unsigned_spellings) {
    spellings.push_back(minus + text);
    if (number == 0.0f) spellings.push_back("-" + text);
  }
  return spellings;
}

}  // namespace accrete::data
