#pragma once
// The text of an error or a note, with the parameters it mentions kept as data. The library uses the snake_case name of
// a parameter; each front end renders its own spelling: --units-per-step on the command line, n_units in Python.
//
// format_message.hpp builds messages from a format string.

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace accrete::core {

/// A parameter mentioned in a message, with its value if given.
struct ParameterReference {
  std::string name;  ///< snake_case, as in the list of parameters
  std::optional<std::string> value = std::nullopt;

  std::string text() const;  ///< "units" or "units 0"
  bool operator==(const ParameterReference&) const = default;
};

class Message {
 public:
  using Part = std::variant<std::string, ParameterReference>;
  using Spelling = std::function<std::string(const ParameterReference&)>;

  Message() = default;
  Message(std::string text);              // NOLINT(google-explicit-constructor): any text is a message
  Message(const char* text);              // NOLINT(google-explicit-constructor)
  Message(ParameterReference parameter);  // NOLINT(google-explicit-constructor)

  Message& operator+=(const Message& other);
  bool operator==(const Message&) const = default;

  bool empty() const { return parts_.empty(); }
  const std::vector<Part>& parts() const { return parts_; }
  /// Rendered with the library's own names: "units 0: must be at least 1". Always one line: control characters are
  /// escaped, and long quotes from a file are cut off.
  std::string text() const;
  std::string render(const Spelling& spell) const;

 private:
  std::vector<Part> parts_;  // never two texts in a row
};

}  // namespace accrete::core
