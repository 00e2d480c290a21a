#pragma once
// Literals and tables of the exported C header. Internal to io/c_source.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::io {

/// A string literal in printable ASCII for arbitrary bytes. A NUL, which would end the string, becomes the two bytes C0
/// 80, which never occur in UTF-8. Throws DataError if the string exceeds the limit of C99.
std::string c_string(std::string_view text);

/// "0.1f": the fewest digits that read back as the same value.
std::string c_float(float value);
std::string c_double(double value);

/// Words separated by commas, in indented lines of at most 120 characters.
std::string c_lines(std::span<const std::string> words, std::size_t indent = 2);

/// Collects tables, "static const TYPE NAME[N] = {...};". C has no empty arrays, so an empty table gets a single 0.
class CTables {
 public:
  /// Adds a comment line before the next table.
  void comment(std::string_view text) { text_ += "// " + std::string(text) + "\n"; }

  void add(const std::string& name, std::span<const float> values);
  void add(const std::string& name, std::span<const double> values);
  /// Adds a table of the smallest unsigned type that holds all values.
  void add(const std::string& name, std::span<const std::size_t> values);

  const std::string& text() const { return text_; }
  std::size_t bytes() const { return bytes_; }  ///< of all tables

 private:
  void add(std::string_view type, std::size_t bytes, const std::string& name, std::vector<std::string> words);

  std::string text_;
  std::size_t bytes_ = 0;
};

/// The smallest unsigned type in stdint.h that holds the number.
const char* c_index_type(std::size_t largest);

}  // namespace accrete::io
