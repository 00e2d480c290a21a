#pragma once
// Makes C identifiers from arbitrary text; the internals of io/c_source.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accrete::io {

/// The ASCII letters and digits of the text, with one _ for each run of other characters between them, truncated to
/// max_length; "other" if none is left. May begin with a digit.
std::string c_word(std::string_view text, std::size_t max_length = 28);

/// Throws UsageError unless the name is an identifier in C and C++.
void check_c_name(const std::string& name);

/// Makes names unique.
class CNames {
 public:
  /// The name, or the name with _2, _3, ... if it is in use.
  std::string take(const std::string& name);

 private:
  std::unordered_map<std::string, std::size_t> uses_;  ///< of every name
};

}  // namespace accrete::io
