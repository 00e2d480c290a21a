#include "accrete/config/constraints.hpp"

#include <utility>

namespace accrete::config {
namespace {

constexpr std::string_view special = ",;:\"";

/// Takes names and single characters from a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool is_at_end() const { return rest_.empty(); }

  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Nothing if there is no name here, or a quote is not closed.
  std::optional<std::string> take_name() {
    if (take('"')) return take_quoted();
    const std::string name(rest_.substr(0, rest_.find_first_of(special)));
    rest_.remove_prefix(name.size());
    return name.empty() ? std::nullopt : std::optional(name);
  }

 private:
  std::optional<std::string> take_quoted() {
    std::string name;
    while (!is_at_end()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"' && !take('"')) return name;  // a doubled quote is part of the name
      name += c;
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

std::string quoted(const std::string& name) {
  const bool is_word = name == "all" || name == "none";
  if (!is_word && !name.empty() && name.find_first_of(special) == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

}  // namespace

std::optional<Monotone> parse_monotone(std::string_view text) {
  Monotone columns;
  if (text == "none") return columns;
  Scanner from(text);
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
  Scanner from(text);
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
    text += quoted(column);
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
      text += quoted(group[i]);
    }
  }
  return text;
}

}  // namespace accrete::config
