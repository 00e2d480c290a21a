#pragma once
// Reads and writes names in the text of a parameter. A name that contains a special character is quoted as in CSV.

#include <optional>
#include <string>
#include <string_view>

namespace accrete::config {

inline constexpr std::string_view special_characters = ",;:\"";

/// Takes names and single characters from a text.
class NameScanner {
 public:
  explicit NameScanner(std::string_view text, std::string_view special = special_characters)
      : rest_(text), special_(special) {}

  bool is_at_end() const { return rest_.empty(); }

  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Unset if no name starts here or a quote is not closed.
  std::optional<std::string> take_name() {
    if (take('"')) return take_quoted();
    const std::string name(take_until(special_));
    return name.empty() ? std::nullopt : std::optional(name);
  }

  /// The text before the first of these characters.
  std::string_view take_until(std::string_view ends) {
    const std::string_view text = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(text.size());
    return text;
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
  std::string_view special_;
};

inline std::string quoted_name(const std::string& name, std::string_view special = special_characters) {
  const bool is_word = name == "all" || name == "none" || name == "balanced";
  if (!is_word && !name.empty() && name.find_first_of(special) == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

}  // namespace accrete::config
