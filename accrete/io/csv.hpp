#pragma once
// Tables from and to CSV files.
//
// Life of a read: the text, in memory or as a mapped file (io/file_text) -> header -> cut at row boundaries
// (io/csv_scan) -> pieces parsed in parallel straight into float columns (io/csv_chunk) -> columns that turned out to
// be text read once more.
//
// A column is numeric when each of its fields is a number or missing (data::parse_number, data::is_missing),
// and text otherwise. Blanks around a field never count, inside quotes or outside.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/io/file_text.hpp"

namespace accrete::io {

struct CsvOptions {
  char delimiter = 0;                     ///< 0: guessed from , ; tab | by the first rows
  bool header = true;                     ///< false: columns are named c0, c1, ...
  std::vector<std::string> as_text = {};  ///< columns (as Table::require takes) that are text whatever they look like
  std::vector<std::string> as_text_if_there = {};  ///< names likewise, of columns that may be missing
  std::size_t chunk_bytes = 1 << 20;               ///< text per task; changes the speed, never the table
  std::size_t map_from = FileText::mapped_from;    ///< plain files of this many bytes are not read into memory whole
};

/// Reads the file, gzipped or not; "-" is standard input. The table is the same for any number of threads.
/// Throws FileError when the file cannot be read, UsageError for an as_text column that is not there or a
/// delimiter that cannot be one, and DataError, naming file and line, for an empty file, no data rows, a
/// repeated column name, a ragged row, a quote that never closes, a NUL byte, a byte that is not UTF-8, and an infinity
/// in a numeric column.
data::Table read_csv(const std::string& path, const CsvOptions& options, core::Workers& workers);

/// The same from memory; `source` stands for the path in messages and in the table.
data::Table parse_csv(std::string text, const std::string& source, const CsvOptions& options, core::Workers& workers);

/// The same from a file that is open already, for those who want its lines as well.
data::Table parse_csv(const FileText& file, const std::string& source, const CsvOptions& options,
                      core::Workers& workers);

/// The file's lines as they are: those of the header (without one: nothing), and of each row that the table has. Blank
/// lines between rows are left out, and the last row may lack a line end. Views into the file; for a file that has been
/// parsed with these options.
struct CsvLines {
  std::string_view header;
  std::vector<std::string_view> rows;
};
CsvLines csv_lines(const FileText& file, const CsvOptions& options);

/// The field as it must be written: quoted when it holds a delimiter, a quote or a line end, or starts or
/// ends with a blank.
std::string csv_field(std::string_view text, char delimiter = ',');

/// Header and rows. Numbers take the fewest digits that read back to the same float; a missing value is
/// empty.
std::string to_csv(const data::Table& table, char delimiter = ',');

/// to_csv into a file, whole or not at all (io/atomic_file). Throws FileError.
void write_csv(const data::Table& table, const std::string& path, char delimiter = ',');

}  // namespace accrete::io
