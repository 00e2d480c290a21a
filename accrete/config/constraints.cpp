#include "accrete/config/constraints.hpp"

#include <utility>

#include "accrete/config/name_scanner.hpp"

namespace accrete::config {

std::optional<Monotone> parse_monotone(std::string_view text) {
  Monotone columns;
  if (text == "none") return columns;
  NameScanner from(text);
  do {
    auto name = from.take_name();
    if (!name || !from.take(':')) return std::nullopt;
    const bool increasing = from.take('+');
    if (!increasing && !from.take('-')) return std::nullopt;
    columns.push_back({std::move(*name), increasing});
  } while (from.take(','));
  return from.is_at_end() ? std::optional(std::move(columns)) : std::nullopt;
}

std::optional<Interactions> parse_interactions(std::string_view text) {
  if (text == "all") return Interactions{};
  if (text == "none") return Interactions{.additive = true};
  Interactions interactions;
  NameScanner from(text);
  do {
    auto& group = interactions.groups.emplace_back();
    do {
      auto name = from.take_name();
      if (!name) return std::nullopt;
      group.push_back(std::move(*name));
    } while (from.take(','));
  } while (from.take(';'));
  return from.is_at_end() ? std::optional(std::move(interactions)) : std::nullopt;
}

std::string text_of(const Monotone& monotone) {
  std::string text = monotone.empty() ? "none" : "";
  for (const auto& [column, increasing] : monotone) {
    if (!text.empty()) text += ',';
    text += quoted_name(column);
    text += increasing ? ":+" : ":-";
  }
  return text;
}

std::string text_of(const Interactions& interactions) {
  if (interactions.empty()) return "all";
  std::string text = interactions.additive ? "none" : "";
  for (const auto& group : interactions.groups) {
    if (!text.empty()) text += ';';
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i > 0) text += ',';
      text += quoted_name(group[i]);
    }
  }
  return text;
}

}  // namespace accrete::config
