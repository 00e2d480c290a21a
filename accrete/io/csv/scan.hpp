#pragma once
// Finds rows and fields in the text of a CSV file, without interpreting them.
//
// A field that starts with a quote (after optional blanks) ends at the closing quote and may contain delimiters,
// newlines and doubled quotes; a quote anywhere else is an ordinary character. Rows end at LF or CRLF; in a text
// without LF, they end at CR. Blank lines are not rows.
//
// All pointers point into one text, which is followed by a readable '\0'.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::io {

struct CsvDialect {
  char delimiter = ',';
  bool quotes = true;   ///< the text contains quotes; without them, every newline ends a row
  char newline = '\n';  ///< or '\r'

  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter; }
};

/// An error and its position. Thrown inside the reader only; parse_csv turns it into a DataError with file and line.
struct CsvSyntaxError {
  const char* at;
  std::string what;  ///< completes the message "line 7 ..."
};

/// One field in the text, without its quotes and the blanks around it.
struct CsvField {
  std::string_view text;
  bool doubled = false;  ///< contains doubled quotes

  std::string value() const;  ///< with doubled quotes replaced by single ones
};

/// Reads the field at p; returns a pointer to the delimiter, newline or `end` that follows it. Throws CsvSyntaxError
/// for an unclosed quote and for text after a closing quote.
const char* read_field(const char* p, const char* end, const CsvDialect& dialect, CsvField& field);

/// The start of the first row at or after p, which must be the start of a line; `end` if there is none.
const char* next_row(const char* p, const char* end, const CsvDialect& dialect);

/// The start of the line after the row at p, or `end`.
const char* skip_row(const char* p, const char* end, const CsvDialect& dialect);

/// The fields of the row at p.
std::vector<CsvField> read_fields(const char* p, const char* end, const CsvDialect& dialect);

/// The delimiter among , ; tab | that splits all of the first rows into the same number of fields, preferably many;
/// otherwise the most frequent one in the first row; otherwise a comma.
char guess_delimiter(std::string_view text, char newline = '\n');

/// '\r' if the text has CR but no LF, otherwise '\n'.
char find_newline(std::string_view text);

/// Splits the text into chunks of complete rows of about `bytes` bytes. Throws CsvSyntaxError as read_field does.
std::vector<std::string_view> split_rows(std::string_view text, std::size_t bytes, const CsvDialect& dialect);

std::size_t count_rows(std::string_view text, const CsvDialect& dialect);

}  // namespace accrete::io
