#include <charconv>
#include <cmath>

#include "accrete/io/atomic_file.hpp"
#include "accrete/io/csv.hpp"

namespace accrete::io {
namespace {

bool needs_quotes(std::string_view text, char delimiter) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (!text.empty() && (is_blank(text.front()) || is_blank(text.back()))) return true;
  if (text.starts_with("\xEF\xBB\xBF")) return true;  // otherwise a reader removes it as a byte order mark
  for (const char c : text)
    if (c == delimiter || c == '"' || c == '\n' || c == '\r') return true;
  return false;
}

void append_number(std::string& out, float value) {
  if (std::isnan(value)) return;
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Renders a table in blocks of text, so that writing a file needs no second copy of the table in memory.
class CsvWriter {
 public:
  CsvWriter(const data::Table& table, char delimiter) : table_(table), delimiter_(delimiter) {
    // Levels repeat, so quote each one only once.
    for (const auto& column : table.columns) {
      auto& quoted = levels_.emplace_back();
      for (const auto& level : column.levels) quoted.push_back(csv_field(level, delimiter));
    }
  }

  void append_header(std::string& out) const {
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      if (c > 0) out += delimiter_;
      out += csv_field(table_.columns[c].name, delimiter_);
    }
    if (out.empty()) out += "\"\"";  // an empty line would be skipped
    out += '\n';
  }

  void append_row(std::string& out, std::size_t r) const {
    const std::size_t start = out.size();
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      const data::Column& column = table_.columns[c];
      if (c > 0) out += delimiter_;
      if (column.kind == data::Column::Kind::numeric)
        append_number(out, column.number(r));
      else if (column.codes[r] >= 0)
        out += levels_[c][static_cast<std::size_t>(column.codes[r])];
    }
    if (out.size() == start) out += "\"\"";  // a blank line would not be read as a row
    out += '\n';
  }

 private:
  const data::Table& table_;
  char delimiter_;
  std::vector<std::vector<std::string>> levels_;
};

}  // namespace

std::string csv_field(std::string_view text, char delimiter) {
  if (!needs_quotes(text, delimiter)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string to_csv(const data::Table& table, char delimiter) {
  const CsvWriter writer(table, delimiter);
  std::string text;
  writer.append_header(text);
  for (std::size_t r = 0; r < table.rows(); ++r) writer.append_row(text, r);
  return text;
}

void write_csv(const data::Table& table, const std::string& path, char delimiter,
               const std::function<void(std::size_t rows)>& written) {
  constexpr std::size_t block = 1 << 20;
  const CsvWriter writer(table, delimiter);
  AtomicFile file(path);
  std::string text;
  writer.append_header(text);
  for (std::size_t r = 0; r < table.rows(); ++r) {
    writer.append_row(text, r);
    if (text.size() < block) continue;
    file.write(text);
    text.clear();
    if (written) written(r + 1);
  }
  file.write(text);
  file.commit();
}

}  // namespace accrete::io
