#pragma once
// Literals and tables as C text; the inside of io/c_source.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::io {

/// A string literal of printable ASCII alone, whatever the bytes. A NUL, which would end the string, is written as the
/// two bytes C0 80, which no text in UTF-8 has. Throws DataError when it is longer than C99 promises to take.
std::string c_string(std::string_view text);

/// "0.1f": the fewest digits that read back to the same value.
std::string c_float(float value);
std::string c_double(double value);

/// Words parted by commas, in lines of at most 120 characters, each indented.
std::string c_lines(std::span<const std::string> words, std::size_t indent = 2);

/// "static const TYPE NAME[N] = {...};" for one table after the other. C has no empty table: one without values gets a
/// 0.
class CTables {
 public:
  /// The line before the next table.
  void comment(std::string_view text) { text_ += "// " + std::string(text) + "\n"; }

  void add(const std::string& name, std::span<const float> values);
  void add(const std::string& name, std::span<const double> values);
  /// In the smallest unsigned type that holds the largest.
  void add(const std::string& name, std::span<const std::size_t> values);

  const std::string& text() const { return text_; }
  std::size_t bytes() const { return bytes_; }  ///< that the tables take

 private:
  void add(std::string_view type, std::size_t bytes, const std::string& name, std::vector<std::string> words);

  std::string text_;
  std::size_t bytes_ = 0;
};

/// The smallest unsigned type of stdint.h that holds it.
const char* c_index_type(std::size_t largest);

}  // namespace accrete::io
