#pragma once
// Makes C identifiers from arbitrary text. Internal to io/c_source.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accrete::io {

/// The ASCII letters and digits of the text, with other characters between them replaced by one _ per run, truncated to
/// max_length; "other" if nothing is left. May start with a digit.
std::string c_word(std::string_view text, std::size_t max_length = 28);

/// Throws UsageError unless the name is an identifier in both C and C++.
void check_c_name(const std::string& name);

/// Makes names unique.
class CNames {
 public:
  /// Returns the name, with _2, _3, ... appended if it is in use.
  std::string take(const std::string& name);

 private:
  std::unordered_map<std::string, std::size_t> uses_;  ///< of every name
};

}  // namespace accrete::io
