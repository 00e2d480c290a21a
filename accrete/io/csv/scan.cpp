#include "accrete/io/csv/scan.hpp"

#include <algorithm>
#include <cstring>

namespace accrete::io {
namespace {

/// The first c in [p, end), or end if there is none.
const char* find_char(const char* p, const char* end, char c) {
  const void* found = std::memchr(p, c, static_cast<std::size_t>(end - p));
  return found ? static_cast<const char*>(found) : end;
}

const char* skip_blanks(const char* p, const char* end, const CsvDialect& dialect) {
  while (p < end && dialect.is_blank(*p)) ++p;
  return p;
}

bool ends_field(const char* p, const char* end, const CsvDialect& dialect) {
  return p == end || *p == dialect.delimiter || *p == dialect.newline;
}

/// The closing quote of a field; p points after the opening quote.
const char* closing_quote(const char* p, const char* end, bool& doubled) {
  const char* const opening = p - 1;
  for (;; p += 2) {
    p = find_char(p, end, '"');
    if (p == end) throw CsvSyntaxError{opening, "opens a quote that is never closed"};
    if (p + 1 == end || p[1] != '"') return p;
    doubled = true;
  }
}

/// True if the quote at p is the first character of its field; the row starts at `start`.
bool opens_field(const char* start, const char* p, const CsvDialect& dialect) {
  while (p > start && dialect.is_blank(p[-1])) --p;
  return p == start || p[-1] == dialect.delimiter;
}

/// `first` points after the opening quote.
const char* read_quoted(const char* const first, const char* end, const CsvDialect& dialect, CsvField& field) {
  field.doubled = false;
  const char* const p = closing_quote(first, end, field.doubled);
  const char* begin = first;
  const char* last = p;
  while (begin < last && (*begin == ' ' || *begin == '\t')) ++begin;
  while (begin < last && (last[-1] == ' ' || last[-1] == '\t')) --last;
  field.text = {begin, static_cast<std::size_t>(last - begin)};

  const char* after = skip_blanks(p + 1, end, dialect);
  const bool crlf = dialect.newline == '\n' && after < end && *after == '\r';
  if (crlf && (after + 1 == end || after[1] == '\n')) ++after;
  if (!ends_field(after, end, dialect)) throw CsvSyntaxError{after, "has text after a closing quote"};
  return after;
}

/// Number of fields in each of the first rows; a row with an error ends the list with a 0.
std::vector<std::size_t> count_fields(std::string_view text, const CsvDialect& dialect, std::size_t rows) {
  std::vector<std::size_t> counts;
  const char* const end = text.data() + text.size();
  const char* p = next_row(text.data(), end, dialect);
  try {
    for (; p < end && counts.size() < rows; p = next_row(skip_row(p, end, dialect), end, dialect))
      counts.push_back(read_fields(p, end, dialect).size());
  } catch (const CsvSyntaxError&) {
    counts.push_back(0);
  }
  return counts;
}

}  // namespace

std::string CsvField::value() const {
  std::string result(text);
  if (!doubled) return result;
  std::size_t length = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[length++] = result[i];
    if (result[i] == '"') ++i;
  }
  result.resize(length);
  return result;
}

const char* read_field(const char* p, const char* end, const CsvDialect& dialect, CsvField& field) {
  p = skip_blanks(p, end, dialect);
  if (p < end && *p == '"') return read_quoted(p + 1, end, dialect, field);
  const char* const first = p;
  while (!ends_field(p, end, dialect)) ++p;
  const char* last = p;
  while (last > first && (dialect.is_blank(last[-1]) || last[-1] == '\r')) --last;
  field = {{first, static_cast<std::size_t>(last - first)}, false};
  return p;
}

const char* next_row(const char* p, const char* end, const CsvDialect& dialect) {
  for (;;) {
    const char* q = skip_blanks(p, end, dialect);
    if (q < end && *q == '\r' && dialect.newline == '\n') ++q;
    if (q == end) return end;
    if (*q != dialect.newline) return p;
    p = q + 1;
  }
}

const char* skip_row(const char* const start, const char* end, const CsvDialect& dialect) {
  const char* newline = find_char(start, end, dialect.newline);
  if (!dialect.quotes) return newline == end ? end : newline + 1;
  // Continues from quote to quote: a quoted field may extend the row beyond this newline.
  bool doubled = false;
  for (const char* p = start; (p = find_char(p, newline, '"')) < newline;) {
    if (opens_field(start, p, dialect)) p = closing_quote(p + 1, end, doubled);
    if (++p > newline) newline = find_char(p, end, dialect.newline);
  }
  return newline == end ? end : newline + 1;
}

std::vector<CsvField> read_fields(const char* p, const char* end, const CsvDialect& dialect) {
  std::vector<CsvField> fields(1);
  p = read_field(p, end, dialect, fields.back());
  while (p < end && *p != dialect.newline) p = read_field(p + 1, end, dialect, fields.emplace_back());
  return fields;
}

char find_newline(std::string_view text) {
  const bool old_mac = text.find('\n') == text.npos && text.find('\r') != text.npos;
  return old_mac ? '\r' : '\n';
}

char guess_delimiter(std::string_view text, char newline) {
  constexpr std::size_t sampled_rows = 20;
  char best = ',';
  char frequent = ',';
  std::size_t best_fields = 1;
  std::size_t frequent_fields = 1;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const auto counts = count_fields(text, CsvDialect{delimiter, true, newline}, sampled_rows);
    if (counts.empty()) continue;
    const bool even = std::all_of(counts.begin(), counts.end(), [&](auto n) { return n == counts.front(); });
    if (even && counts.front() > best_fields) {
      best = delimiter;
      best_fields = counts.front();
    }
    if (counts.front() > frequent_fields) {
      frequent = delimiter;
      frequent_fields = counts.front();
    }
  }
  return best_fields > 1 ? best : frequent;
}

std::vector<std::string_view> split_rows(std::string_view text, std::size_t bytes, const CsvDialect& dialect) {
  std::vector<std::string_view> chunks;
  const char* const end = text.data() + text.size();
  bytes = std::max<std::size_t>(bytes, 1);
  for (const char* begin = text.data(); begin < end;) {
    const auto left = static_cast<std::size_t>(end - begin);
    const char* const wanted = begin + std::min(bytes, left);
    const char* p = begin;
    if (dialect.quotes) {
      // Newlines inside quotes can be recognised only from the start of the row.
      while (p < wanted) p = next_row(skip_row(p, end, dialect), end, dialect);
    } else {
      p = find_char(wanted - 1, end, dialect.newline);
      p = p == end ? end : p + 1;
    }
    chunks.emplace_back(begin, static_cast<std::size_t>(p - begin));
    begin = p;
  }
  return chunks;
}

std::size_t count_rows(std::string_view text, const CsvDialect& dialect) {
  const char* const end = text.data() + text.size();
  std::size_t rows = 0;
  const char* p = next_row(text.data(), end, dialect);
  for (; p < end; p = next_row(skip_row(p, end, dialect), end, dialect)) ++rows;
  return rows;
}

}  // namespace accrete::io
