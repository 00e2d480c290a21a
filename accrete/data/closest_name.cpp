#include "accrete/data/closest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace accrete::data {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// Optimal string alignment distance, by three rows of the usual table.
std::size_t changes(std::string_view a, std::string_view b) {
  std::vector<std::size_t> older(b.size() + 1), before(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) before[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
    older.swap(before);
    before.swap(row);
  }
  return before.back();
}

}  // namespace

std::optional<std::string_view> closest_name(std::string_view name, std::span<const std::string_view> names) {
  std::optional<std::string_view> best;
  std::size_t fewest = name.size() / 3 + 1;
  for (const std::string_view candidate : names) {
    const std::size_t longer = std::max(name.size(), candidate.size()),
                      shorter = std::min(name.size(), candidate.size());
    if (longer - shorter >= fewest) continue;
    const std::size_t count = changes(name, candidate);
    if (count < fewest) fewest = count, best = candidate;
  }
  return best;
}

}  // namespace accrete::data
