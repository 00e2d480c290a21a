#include "accrete/data/recognise/text_format.hpp"

#include <algorithm>
#include <array>

#include "accrete/data/recognise/date_text.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {
namespace {

constexpr std::array<std::string_view, 12> signs{"%",      "$",   "\u20AC", "\u00A3", "\u00A5", "\u20B9",
                                                 "\u20A9", "USD", "EUR",    "GBP",    "CHF",    "JPY"};

/// Tried in order; the first that reads all texts wins.
struct Separators {
  char decimal;
  std::string_view thousands;
};
constexpr std::array<Separators, 10> separators{{{'.', ""},
                                                 {'.', ","},
                                                 {',', ""},
                                                 {',', "."},
                                                 {'.', " "},
                                                 {',', " "},
                                                 {'.', "'"},
                                                 {'.', "\u2019"},
                                                 {',', "\u00A0"},
                                                 {',', "\u202F"}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Also removes no-break spaces, which may separate a number from its sign.
void trim(std::string_view& text) {
  constexpr std::array<std::string_view, 5> blanks{" ", "\t", "\r", "\u00A0", "\u202F"};
  const auto front = [&] { return std::ranges::find_if(blanks, [&](auto blank) { return text.starts_with(blank); }); };
  const auto back = [&] { return std::ranges::find_if(blanks, [&](auto blank) { return text.ends_with(blank); }); };
  for (auto found = front(); found != blanks.end(); found = front()) text.remove_prefix(found->size());
  for (auto found = back(); found != blanks.end(); found = back()) text.remove_suffix(found->size());
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (prefix.empty() || !text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  trim(text);
  return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (suffix.empty() || !text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  trim(text);
  return true;
}

/// Removes the sign from the text and returns it as "-" or "".
std::string_view take_minus(std::string_view& text) {
  const bool minus = take_prefix(text, "-") || take_prefix(text, "\u2212");
  if (!minus) take_prefix(text, "+");
  return minus ? "-" : "";
}

/// Appends the integer part without separators and removes it from the text. Returns false if a group does not have
/// three digits or the first one is 0.
bool take_groups(std::string_view& text, std::string_view thousands, std::string& number) {
  const auto digits = [&] {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) ++count;
    number += text.substr(0, count);
    text.remove_prefix(count);
    return count;
  };
  const std::size_t start = number.size(), first = digits();
  if (thousands.empty() || !text.starts_with(thousands)) return true;
  if (first < 1 || first > 3 || number[start] == '0') return false;
  while (text.starts_with(thousands)) {
    text.remove_prefix(thousands.size());
    if (digits() != 3) return false;
  }
  return true;
}

/// Normalises text without signs to "1.5e3"; empty if the separators are misplaced.
std::string plain_number(std::string_view text, const TextFormat& format) {
  std::string number(take_minus(text));
  if (take_prefix(text, format.prefix) && number.empty()) number = take_minus(text);
  take_suffix(text, format.suffix);
  // Rejects a second sign, inf and nan.
  if (text.empty() || (!is_digit(text.front()) && text.front() != format.decimal)) return {};
  if (!take_groups(text, format.thousands, number)) return {};
  for (const char c : text) {
    if (c == '.' && format.decimal != '.') return {};
    number += c == format.decimal ? '.' : c;
  }
  return number;
}

/// The currency or per cent sign before or after the number, taken from the first text.
TextFormat signs_of(std::string_view text) {
  TextFormat format;
  trim(text);
  take_minus(text);
  for (const std::string_view sign : signs) {
    if (format.prefix.empty() && sign != "%" && take_prefix(text, sign)) format.prefix = sign;
    if (format.suffix.empty() && take_suffix(text, sign)) format.suffix = sign;
  }
  return format;
}

/// True if the text has the signs of the format.
bool has_signs(std::string_view text, const TextFormat& format) {
  trim(text);
  take_minus(text);
  return text.starts_with(format.prefix) && text.ends_with(format.suffix);
}

bool is_number(const std::string& text, const TextFormat& format) {
  return has_signs(text, format) && parse_number(text, format).has_value();
}

}  // namespace

bool TextFormat::needs_text() const {
  return decimal != '.' || !thousands.empty() || !prefix.empty() || !suffix.empty() || others_missing || is_date();
}

std::optional<double> parse_number(std::string_view text, const TextFormat& format) {
  if (format.is_date()) {
    const auto date = parse_date(text, format.order);
    return date ? std::optional(date_part(*date, format.part)) : std::nullopt;
  }
  const bool plain = format.decimal == '.' && format.thousands.empty();
  if (plain && format.prefix.empty() && format.suffix.empty()) return parse_number(text);
  trim(text);
  const std::string number = plain_number(text, format);
  return number.empty() ? std::nullopt : parse_number(number);
}

std::optional<TextFormat> find_number_format(std::span<const std::string> texts) {
  if (texts.empty()) return std::nullopt;
  TextFormat format = signs_of(texts.front());
  for (const Separators& by : separators) {
    format.decimal = by.decimal;
    format.thousands = by.thousands;
    if (std::ranges::all_of(texts, [&](const std::string& text) { return is_number(text, format); })) return format;
  }
  return std::nullopt;
}

TextFormat closest_number_format(std::span<const std::string> texts) {
  TextFormat best, format;
  std::ptrdiff_t most = -1;
  const auto first = std::ranges::find_if(
      texts, [](const std::string& text) { return std::ranges::any_of(text, is_digit) && !is_digit(text.front()); });
  const auto try_all = [&](TextFormat candidate) {
    for (const Separators& by : separators) {
      candidate.decimal = by.decimal;
      candidate.thousands = by.thousands;
      const auto count =
          std::ranges::count_if(texts, [&](const std::string& t) { return parse_number(t, candidate).has_value(); });
      if (count > most) most = count, best = candidate;
    }
  };
  try_all({});
  if (first != texts.end()) try_all(signs_of(*first));
  return best;
}

}  // namespace accrete::data
