#include "accrete/io/c_source/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/io/c_source/names.hpp"

namespace accrete::io {
namespace {

/// The minimum that C99 guarantees.
constexpr std::size_t max_string = 4095;

constexpr std::size_t max_line = 120;

std::size_t largest_of(std::span<const std::size_t> values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

std::size_t index_bytes(std::size_t largest) {
  return largest <= 0xff ? 1 : largest <= 0xffff ? 2 : 4;
}

template <class T, class F>
std::vector<std::string> each(std::span<const T> values, F&& write) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const T value : values) words.push_back(write(value));
  return words;
}

std::string with_point(std::string digits) {
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

}  // namespace

std::string c_string(std::string_view text) {
  std::string literal = "\"";
  std::size_t bytes = 0;
  for (const char c : text) {
    bytes += c == '\0' ? 2 : 1;
    if (c == '\0')
      literal += "\\300\\200";
    else if (c == '"' || c == '\\' || c == '?')  // ??/ is a trigraph
      literal += {'\\', c};
    else if (c >= ' ' && c <= '~' && c != '@')  // @ is the placeholder of the model's name
      literal += c;
    else  // three digits, because a following digit would otherwise become part of it
      literal += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  if (bytes > max_string)
    throw core::DataError(
        fmt::format("C: a name that begins with '{1}' has {0} bytes; a C string literal holds at most {2}", bytes,
                    c_word(text), max_string));
  return literal + "\"";
}

std::string c_float(float value) {
  return with_point(fmt::format("{}", value)) + "f";
}

std::string c_double(double value) {
  return with_point(fmt::format("{}", value));
}

std::string c_lines(std::span<const std::string> words, std::size_t indent) {
  const std::string begin(indent, ' ');
  std::string text;
  std::size_t column = max_line;
  for (const std::string& word : words) {
    if (column + word.size() + 2 > max_line) {
      text += (text.empty() ? "" : "\n") + begin;
      column = indent;
    } else {
      text += ' ';
      ++column;
    }
    text += word + ",";
    column += word.size() + 1;
  }
  return text + "\n";
}

const char* c_index_type(std::size_t largest) {
  const std::size_t bytes = index_bytes(largest);
  return bytes == 1 ? "uint8_t" : bytes == 2 ? "uint16_t" : "uint32_t";
}

void CTables::add(const std::string& name, std::span<const float> values) {
  add("float", sizeof(float), name, each(values, c_float));
}

void CTables::add(const std::string& name, std::span<const double> values) {
  add("double", sizeof(double), name, each(values, c_double));
}

void CTables::add(const std::string& name, std::span<const std::size_t> values) {
  const std::size_t largest = largest_of(values);
  add(c_index_type(largest), index_bytes(largest), name,
      each(values, [](std::size_t value) { return fmt::format("{}", value); }));
}

void CTables::add(std::string_view type, std::size_t bytes, const std::string& name, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back("0");
  text_ += fmt::format("static const {} {}[{}] = {{\n{}}};\n", type, name, words.size(), c_lines(words));
  bytes_ += bytes * words.size();
}

}  // namespace accrete::io
