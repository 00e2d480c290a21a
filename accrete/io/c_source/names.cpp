#include "accrete/io/c_source/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "accrete/core/error.hpp"
#include "accrete/io/c_source.hpp"

namespace accrete::io {
namespace {

// Keywords of C up to C23 and C++ up to C++20, each between blanks.
constexpr std::string_view keywords =
    " "
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast "
    "struct switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof _Atomic _BitInt _Bool "
    "_Complex _Decimal32 _Decimal64 _Decimal128 _Generic _Imaginary _Noreturn _Pragma _Static_assert "
    "_Thread_local __func__ ";

// Unlike <cctype>, independent of the locale.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_keyword(const std::string& name) {
  return keywords.find(" " + name + " ") != std::string_view::npos;
}

}  // namespace

std::string c_name(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  if (std::ranges::none_of(stem, [](char c) { return is_digit(c) || is_letter(c); })) return "model";
  const std::string word = c_word(stem, stem.size());
  return is_digit(word[0]) || is_keyword(word) ? "model_" + word : word;
}

std::string c_word(std::string_view text, std::size_t max_length) {
  std::string word;
  bool separated = false;
  for (const char c : text) {
    const bool kept = is_digit(c) || is_letter(c);
    if (kept && separated && !word.empty()) word += '_';
    if (word.size() >= max_length) break;
    if (kept) word += c;
    separated = !kept;
  }
  while (word.ends_with('_')) word.pop_back();
  return word.empty() ? "other" : word;
}

void check_c_name(const std::string& name) {
  const bool letters = std::ranges::all_of(name, [](char c) { return is_digit(c) || is_letter(c) || c == '_'; });
  if (name.empty() || !letters || is_digit(name[0]))
    throw core::UsageError(fmt::format(
        "name '{}' is not a C identifier: use letters a to z, digits and _, and do not begin with a digit", name));
  if (is_keyword(name)) throw core::UsageError(fmt::format("name '{}' is a keyword of C or C++", name));
}

std::string CNames::take(const std::string& name) {
  std::size_t& times = uses_[name];  // references remain valid as the map grows
  if (++times == 1) return name;
  for (;; ++times)
    if (std::string numbered = fmt::format("{}_{}", name, times); uses_.try_emplace(numbered, 1).second)
      return numbered;
}

}  // namespace accrete::io
