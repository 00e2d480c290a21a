#include <string_view>

#include "accrete/io/csv.hpp"
#include "accrete/io/csv/scan.hpp"
#include "accrete/io/file_text.hpp"

namespace accrete::io {

CsvLines csv_lines(const FileText& file, const CsvOptions& options) {
  std::string_view text = file.view();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const char newline = find_newline(text);
  const CsvDialect dialect{options.delimiter ? options.delimiter : guess_delimiter(text, newline),
                           text.find('"') != text.npos, newline};
  const char* const end = text.data() + text.size();
  CsvLines lines;
  for (const char* p = next_row(text.data(), end, dialect); p != end;) {
    const char* const after = skip_row(p, end, dialect);
    lines.rows.emplace_back(p, static_cast<std::size_t>(after - p));
    p = next_row(after, end, dialect);
  }
  if (options.header) {
    lines.header = lines.rows.front();
    lines.rows.erase(lines.rows.begin());
  }
  return lines;
}

}  // namespace accrete::io
