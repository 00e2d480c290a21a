#include "accrete/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/column_index.hpp"
#include "accrete/data/location.hpp"
#include "accrete/data/missing_values.hpp"
#include "accrete/io/csv/chunk.hpp"
#include "accrete/io/csv/scan.hpp"
#include "accrete/io/file_text.hpp"
#include "accrete/io/level_index.hpp"
#include "accrete/io/utf8.hpp"

namespace accrete::io {
namespace {

/// One parse: the text, the table, and the chunks.
class CsvReader {
 public:
  CsvReader(const FileText& file, data::Table& table, const CsvOptions& options, core::Workers& workers)
      : file_(file),
        text_(file.view()),
        table_(table),
        options_(options),
        workers_(workers),
        missing_values_(options.missing_values) {}

  /// Names the columns; returns the text of the data rows.
  std::string_view read_header() {
    const bool quotes = options_.range ? options_.range->quotes : check_utf8(text_);
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    const char newline = find_newline(text_);
    dialect_ = {options_.delimiter ? options_.delimiter : guess_delimiter(text_, newline), quotes, newline};
    const std::string_view body = read_names();
    return options_.range ? rows_in(*options_.range, body) : body;
  }

  void read() {
    split(read_header());
    std::vector<ReadAs> readings = first_readings();
    const std::vector<ReadAs> wanted = readings;
    found_text_ = std::vector<std::atomic<bool>>(readings.size());
    run_pass(readings);

    // A column that is text in any chunk is text in all of them.
    for (std::size_t c = 0; c < readings.size(); ++c) readings[c] = found_text_[c] ? ReadAs::text : ReadAs::skip;
    refuse_infinity();
    if (std::find(readings.begin(), readings.end(), ReadAs::text) != readings.end()) run_pass(readings);
    std::size_t c = 0;
    std::erase_if(table_.columns, [&](const data::Column&) { return wanted[c++] == ReadAs::skip; });
  }

 private:
  std::vector<ReadAs> first_readings() const {
    std::vector<ReadAs> readings(table_.columns.size(), ReadAs::number);
    for (const auto& wanted : options_.as_text) readings[table_.require(wanted)] = ReadAs::text;
    const data::ColumnIndex index(table_);
    for (const auto& wanted : options_.as_text_if_present)
      if (const auto column = index.find(wanted)) readings[*column] = ReadAs::text;
    for (const auto& wanted : options_.ignore) readings[table_.require(wanted)] = ReadAs::skip;
    return readings;
  }

  /// Throws unless the text is UTF-8 without NUL; returns whether it contains a quote. Reads one window at a time, so
  /// that a mapped file never needs to be in memory completely.
  bool check_utf8(std::string_view text) const {
    constexpr std::size_t window = std::size_t{1} << 22;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    bool quotes = false;
    for (std::string_view rest = text; !rest.empty();) {
      std::size_t size = std::min(window, rest.size());
      while (size < rest.size() && size + 3 > window && continues(rest[size])) --size;  // ends between two characters
      const std::string_view block = rest.substr(0, size);
      const char* const invalid = find_invalid_utf8(block);
      if (const auto nul = invalid ? rest.find('\0') : block.find('\0'); nul != rest.npos)
        throw CsvSyntaxError{rest.data() + nul, "contains a NUL byte; the file must be text in UTF-8"};
      if (invalid)
        throw CsvSyntaxError{invalid,
                             fmt::format("contains the byte 0x{:02X}, which is not UTF-8; save the file as UTF-8",
                                         static_cast<unsigned char>(*invalid))};
      quotes = quotes || block.find('"') != block.npos;
      file_.release(block);
      rest.remove_prefix(size);
    }
    return quotes;
  }

  /// The rows of the body that start in the range.
  std::string_view rows_in(const CsvRange& range, std::string_view body) const {
    const char *const text = file_.view().data(), *const end = body.data() + body.size();
    const auto first_row_at = [&](std::size_t byte) {
      const char* const wanted = std::min(end, text + byte);
      if (wanted <= body.data()) return body.data();
      const char* p = body.data();
      if (dialect_.quotes)
        while (p < wanted) p = skip_row(p, end, dialect_);
      else
        p = skip_row(wanted - 1, end, dialect_);  // a row starts here if the previous byte ends a line
      return p;
    };
    const char *const first = first_row_at(range.begin), *const last = first_row_at(range.end);
    const std::string_view rows(first, static_cast<std::size_t>(last - first));
    check_utf8(rows);
    return rows;
  }

  std::string_view read_names() {
    const char* const end = text_.data() + text_.size();
    const char* const first = next_row(text_.data(), end, dialect_);
    if (first == end) throw core::DataError(table_.source + ": the file is empty");
    const auto fields = read_fields(first, end, dialect_);
    std::unordered_set<std::string> seen;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      std::string name = options_.header ? fields[c].value() : "";
      if (name.empty()) name = fmt::format("c{}", c);
      if (!seen.insert(name).second) throw CsvSyntaxError{first, "names two columns '" + name + "'"};
      table_.columns.emplace_back().name = std::move(name);
    }
    const char* body = options_.header ? next_row(skip_row(first, end, dialect_), end, dialect_) : first;
    if (body == end) throw core::DataError(table_.source + ": no data rows after the header");
    return {body, static_cast<std::size_t>(end - body)};
  }

  /// Splits the rows into chunks and counts them. The chunks depend only on chunk_bytes, not on the threads.
  void split(std::string_view body) {
    for (const auto text : split_rows(body, options_.chunk_bytes, dialect_)) chunks_.emplace_back().text = text;
    workers_.run(chunks_.size(), [&](std::size_t i) {
      chunks_[i].rows = count_rows(chunks_[i].text, dialect_);
      file_.release(chunks_[i].text);
    });
    for (auto& chunk : chunks_) {
      chunk.first_row = rows_;
      rows_ += chunk.rows;
    }
  }

  void run_pass(const std::vector<ReadAs>& readings) {
    auto& columns = table_.columns;
    workers_.run(columns.size(), [&](std::size_t c) { allocate(columns[c], readings[c]); });
    const auto width = fmt::format("the {} has {}", options_.header ? "header" : "first row", columns.size());
    const CsvPass pass{.dialect = dialect_,
                       .readings = readings,
                       .columns = &columns,
                       .found_text = &found_text_,
                       .missing_values = &missing_values_,
                       .width_from = width};
    workers_.run(chunks_.size(), [&](std::size_t i) {
      read_chunk(chunks_[i], pass);
      file_.release(chunks_[i].text);
    });
    for (const auto& chunk : chunks_)
      if (chunk.error) throw *chunk.error;
    workers_.run(columns.size(), [&](std::size_t c) {
      if (readings[c] == ReadAs::text) merge_levels(c);
      if (readings[c] == ReadAs::number) columns[c].merged = range_of(c).merges();
    });
  }

  data::NumberRange range_of(std::size_t c) const {
    data::NumberRange range;
    for (const CsvChunk& chunk : chunks_) range.add(chunk.ranges[c].low), range.add(chunk.ranges[c].high);
    return range;
  }

  void allocate(data::Column& column, ReadAs read_as) {
    if (read_as == ReadAs::number) column.numbers.resize(rows_);
    if (read_as != ReadAs::text) return;
    column.kind = data::Column::Kind::text;
    column.numbers = core::FloatColumn();
    column.codes.resize(rows_);
  }

  /// Merges the codes of the chunks, in chunk order to keep levels in order of first appearance.
  void merge_levels(std::size_t c) {
    data::Column& column = table_.columns[c];
    std::size_t max_levels = 0;
    for (const auto& chunk : chunks_) max_levels += chunk.levels[c].size();
    LevelIndex index(column.levels, max_levels);
    std::vector<std::int32_t> merged;
    for (auto& chunk : chunks_) {
      merged.clear();
      for (const auto level : chunk.levels[c]) merged.push_back(index.code_of(level));
      for (std::size_t r = chunk.first_row; r < chunk.first_row + chunk.rows; ++r)
        if (column.codes[r] >= 0) column.codes[r] = merged[static_cast<std::size_t>(column.codes[r])];
      std::vector<std::string_view>().swap(chunk.levels[c]);
      file_.release(chunk.text);
    }
  }

  void refuse_infinity() const {
    std::size_t row = CsvChunk::none;
    std::size_t column = 0;
    for (const auto& chunk : chunks_)
      for (std::size_t c = 0; c < chunk.infinite.size(); ++c)
        if (!found_text_[c] && chunk.infinite[c] < row) {
          row = chunk.infinite[c];
          column = c;
        }
    if (row != CsvChunk::none)
      throw core::DataError(core::message("{}: the value is infinite or too large for float32",
                                          data::location(table_, row, table_.columns[column].name)));
  }

  const FileText& file_;
  std::string_view text_;
  data::Table& table_;
  const CsvOptions& options_;
  core::Workers& workers_;
  data::MissingValues missing_values_;
  CsvDialect dialect_;
  std::vector<CsvChunk> chunks_;
  std::vector<std::atomic<bool>> found_text_;
  std::size_t rows_ = 0;
};

/// A character that may be part of a number or a quote would make fields ambiguous.
void check_delimiter(char delimiter) {
  const bool ambiguous = std::isalnum(static_cast<unsigned char>(delimiter)) != 0 ||
                         std::string_view(".+-\"\r\n").find(delimiter) != std::string_view::npos;
  if (ambiguous)
    throw core::UsageError("the delimiter must not be a letter, a digit, a quote, a line end, or one of . + -");
}

/// Calls read(), which may throw a CsvSyntaxError.
template <class Read>
void read_file(const FileText& file, const std::string& source, const Read& read) {
  try {
    read();
  } catch (const CsvSyntaxError& error) {
    const auto line = 1 + std::count(file.view().data(), error.at, find_newline(file.view()));
    throw core::DataError(fmt::format("{}: line {} {}", source, line, error.what));
  }
}

data::Table parse(const FileText& file, const std::string& source, const CsvOptions& options, core::Workers& workers) {
  data::Table table{source, {}};
  read_file(file, source, [&] { CsvReader(file, table, options, workers).read(); });
  return table;
}

}  // namespace

data::Table parse_csv(const FileText& file, const std::string& source, const CsvOptions& options,
                      core::Workers& workers) {
  check_delimiter(options.delimiter);
  return parse(file, source, options, workers);
}

data::Table parse_csv(std::string text, const std::string& source, const CsvOptions& options, core::Workers& workers) {
  return parse_csv(FileText::of(std::move(text)), source, options, workers);
}

data::Table read_csv(const std::string& path, const CsvOptions& options, core::Workers& workers) {
  check_delimiter(options.delimiter);
  return parse(FileText(path, options.min_mapped_bytes), path == "-" ? "standard input" : path, options, workers);
}

data::Table csv_header(const FileText& file, const std::string& source, const CsvOptions& options) {
  check_delimiter(options.delimiter);
  data::Table table{source, {}};
  core::Workers unused(1);
  read_file(file, source, [&] { CsvReader(file, table, options, unused).read_header(); });
  return table;
}

}  // namespace accrete::io
