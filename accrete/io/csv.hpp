#pragma once
// Reads and writes tables as CSV.
//
// The text is in memory or in a mapped file (io/file_text). It is split into chunks at row boundaries (io/csv/scan),
// which are parsed in parallel into float columns (io/csv/chunk); columns that turn out to be text are read a second
// time.
//
// A column is numeric if each of its fields is a number or missing (data::parse_number, data::is_missing), otherwise
// text. Blanks around a field are ignored, both inside and outside of quotes.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/io/file_text.hpp"

namespace accrete::io {

/// Selects the data rows that start in these bytes of a text; there may be none. The header is always read from the
/// start of the text.
struct CsvRange {
  std::size_t begin = 0, end = 0;
  bool quotes = true;  ///< the text contains a quote, so row starts can be found only by reading from its start
};

struct CsvOptions {
  char delimiter = 0;                                ///< 0: guessed from the first rows among , ; tab |
  bool header = true;                                ///< false: columns are named c0, c1, ...
  std::vector<std::string> as_text = {};             ///< columns (see Table::require) that are always read as text
  std::vector<std::string> as_text_if_present = {};  ///< the same by name, but missing columns are ignored
  std::vector<std::string> ignore = {};              ///< columns to leave out of the table
  std::vector<std::string> missing_values = {};  ///< additional spellings to those of data::is_missing, for all columns
  std::optional<CsvRange> range = {};            ///< read only these rows
  std::size_t chunk_bytes = 1 << 20;             ///< text per task; does not affect the result
  std::size_t min_mapped_bytes = io::min_mapped_bytes();  ///< larger plain files are mapped
};

/// Reads a plain or gzipped file; "-" is standard input. The table does not depend on the number of threads. Throws
/// FileError if the file cannot be read, UsageError for an unknown column in as_text or ignore, or an invalid
/// delimiter, and DataError that names file and line for an empty file, no data rows, a repeated column name, a ragged
/// row, an unclosed quote, a NUL byte, invalid UTF-8, and an infinity in a numeric column.
data::Table read_csv(const std::string& path, const CsvOptions& options, core::Workers& workers);

/// The same for text in memory; `source` replaces the path in messages and in the table.
data::Table parse_csv(std::string text, const std::string& source, const CsvOptions& options, core::Workers& workers);

/// The same for an open file, for callers that also need its lines.
data::Table parse_csv(const FileText& file, const std::string& source, const CsvOptions& options,
                      core::Workers& workers);

/// A table that has the columns' names but no rows. Throws as read_csv does for the first line.
data::Table csv_header(const FileText& file, const std::string& source, const CsvOptions& options);

/// The lines of the header ("" if there is none) and of each row of the table, exactly as in the file. Blank lines are
/// omitted, and the last row may lack a line end. The views point into the file, which must have been parsed with the
/// same options.
struct CsvLines {
  std::string_view header;
  std::vector<std::string_view> rows;
};
CsvLines csv_lines(const FileText& file, const CsvOptions& options);

/// The text as a CSV field: quoted if it contains a delimiter, a quote or a line end, or starts or ends with a blank.
std::string csv_field(std::string_view text, char delimiter = ',');

/// Header and rows. Numbers have the fewest digits that read back as the same float; a missing value is empty.
std::string to_csv(const data::Table& table, char delimiter = ',');

/// Writes to_csv to a file, atomically (io/atomic_file). Throws FileError.
void write_csv(const data::Table& table, const std::string& path, char delimiter = ',',
               const std::function<void(std::size_t rows)>& written = {});

}  // namespace accrete::io
