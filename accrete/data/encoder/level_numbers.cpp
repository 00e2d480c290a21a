#include "accrete/data/encoder/level_numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <unordered_set>

namespace accrete::data {
namespace {

constexpr double exact_limit = 9007199254740992.0;  // 2^53; below it, different whole numbers are different doubles

}  // namespace

std::optional<double> number_of_text(std::string_view text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::string text_of_number(double x) {
  if (x == std::floor(x) && std::abs(x) < 1e15) return fmt::format("{:.0f}", x + 0.0);
  return fmt::format("{}", x);
}

std::unordered_map<double, float> levels_by_number(const Input& input) {
  std::unordered_map<double, float> known;
  for (std::size_t l = 0; l < input.levels.size(); ++l) {
    const auto number = number_of_text(input.levels[l]);
    if (!number || !(std::abs(*number) < exact_limit)) continue;
    if (text_of_number(*number) == input.levels[l])
      known[*number] = static_cast<float>(l);
    else
      known.emplace(*number, static_cast<float>(l));
  }
  return known;
}

std::unordered_map<float, float> levels_by_float(const std::unordered_map<double, float>& by_number) {
  std::unordered_map<float, float> levels;
  std::unordered_set<float> ambiguous;
  for (const auto& [number, level] : by_number) {
    const auto rounded = static_cast<float>(number);
    const bool is_whole = number == std::floor(number);
    if (!std::isfinite(rounded) || (is_whole && static_cast<double>(rounded) != number)) continue;
    if (!levels.emplace(rounded, level).second) ambiguous.insert(rounded);
  }
  for (const float number : ambiguous) levels.erase(number);
  return levels;
}

std::vector<std::string> number_spellings(double number) {
  constexpr int zeros = 6;
  const std::string minus = number < 0.0 ? "-" : "", digits = text_of_number(std::abs(number));
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
    if (number == 0.0) spellings.push_back("-" + text);
  }
  return spellings;
}

}  // namespace accrete::data
