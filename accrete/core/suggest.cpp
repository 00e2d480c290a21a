#include "accrete/core/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace accrete::core {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Number of edits between two words: insert, delete or replace a letter, or swap two neighbours.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      edits[i][j] = std::min(
          {edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  return edits.back().back();
}

/// True if the name is one of the words of `wanted`, such as auc in roc_auc.
bool is_word_of(std::string_view name, std::string_view wanted) {
  for (std::size_t from = 0, to; from <= wanted.size(); from = to + 1) {
    to = std::min(wanted.find_first_of("_- ", from), wanted.size());
    if (std::ranges::equal(wanted.substr(from, to - from), name, same_letter)) return !name.empty();
  }
  return false;
}

constexpr std::size_t max_word = 64;  // longer words are not mistyped names

}  // namespace

std::string closest_name(std::string_view wanted, std::string_view names) {
  std::string_view best, word;
  std::size_t fewest = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (std::size_t from = 0, to; from < names.size() && wanted.size() <= max_word; from = to + 2) {
    to = std::min(names.find(", ", from), names.size());
    const std::string_view name = names.substr(from, to - from);
    if (name.size() > max_word) continue;
    if (word.empty() && is_word_of(name, wanted)) word = name;
    const std::size_t edits = edits_between(wanted, name);
    if (edits >= fewest || edits >= std::max(wanted.size(), name.size())) continue;
    fewest = edits;
    best = name;
  }
  return std::string(best.empty() ? word : best);
}

std::string did_you_mean(std::string_view wanted, std::string_view names) {
  const std::string name = closest_name(wanted, names);
  return name.empty() ? "" : "; did you mean '" + name + "'?";
}

}  // namespace accrete::core
