#pragma once
// Identifiers of C made from text that may hold anything; the inside of io/c_source.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accrete::io {

/// Letters and digits of the text with one _ for each run of others between them, cut at the longest; "other" when none
/// is left. May begin with a digit.
std::string c_word(std::string_view text, std::size_t longest = 28);

/// Throws UsageError unless the name is an identifier in C and in C++.
void check_c_name(const std::string& name);

/// Gives out names, each once.
class CNames {
 public:
  /// The wish, or the wish with _2, _3, ... when it is taken.
  std::string take(const std::string& wish);

 private:
  std::unordered_map<std::string, std::size_t> asked_;  ///< how often, of every name given out
};

}  // namespace accrete::io
