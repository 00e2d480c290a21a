#pragma once
// Where rows and fields begin and end in the text of a CSV file. Knows nothing of numbers, columns or files.
//
// The grammar: a field that starts with a quote (blanks before it allowed) runs to the closing quote and may
// hold delimiters, newlines and doubled quotes; a quote anywhere else is an ordinary character. Rows end at
// LF or CRLF. Lines of blanks alone are no rows.
//
// Every pointer below points into one text that is followed by a readable byte which is no part of a field
// ('\0').

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::io {

struct Dialect {
  char delimiter = ',';
  bool quotes = true;  ///< whether the text holds a quote at all; without one, a newline always ends a row

  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter; }
};

/// What is wrong with the text, and at which byte of it. Thrown inside the reader only: whoever knows the
/// file's name turns it into a DataError that names file and line.
struct CsvFlaw {
  const char* at;
  std::string what;  ///< completes "line 7 ..."
};

/// One field as it lies in the text, without its quotes and the blanks around it.
struct Field {
  std::string_view text;
  bool doubled = false;  ///< holds doubled quotes, each meaning one

  std::string value() const;
};

/// Reads the field at p; returns the place of what ends it: a delimiter, a newline or `end`.
/// Throws CsvFlaw for a quote that never closes and for text after a closing quote.
const char* read_field(const char* p, const char* end, const Dialect& dialect, Field& field);

/// The start of the first row at or after p, p being the start of a line; `end` when there is none.
const char* next_row(const char* p, const char* end, const Dialect& dialect);

/// The start of the line after the row at p, or `end`.
const char* skip_row(const char* p, const char* end, const Dialect& dialect);

/// The fields of the row at p.
std::vector<Field> read_fields(const char* p, const char* end, const Dialect& dialect);

/// The one of , ; tab | that cuts the first rows into the most fields, the same number in each; when none
/// does, the one most frequent in the first row; a comma when the first row holds none.
char guess_delimiter(std::string_view text);

/// Cuts the text into pieces of about `bytes` bytes that begin and end with rows. Throws CsvFlaw as
/// read_field does.
std::vector<std::string_view> split_rows(std::string_view text, std::size_t bytes, const Dialect& dialect);

std::size_t count_rows(std::string_view text, const Dialect& dialect);

}  // namespace accrete::io
