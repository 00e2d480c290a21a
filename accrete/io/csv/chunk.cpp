#include "accrete/io/csv/chunk.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <unordered_map>

#include "accrete/data/plain_number.hpp"

namespace accrete::io {
namespace {

/// Reads the rows of one chunk in one pass.
class ChunkReader {
 public:
  ChunkReader(CsvChunk& chunk, const CsvPass& pass)
      : chunk_(chunk), pass_(pass), dialect_(pass.dialect), readings_(pass.readings), index_(readings_.size()) {
    chunk_.infinite.assign(readings_.size(), CsvChunk::none);
    chunk_.ranges.assign(readings_.size(), {});
    chunk_.levels.assign(readings_.size(), {});
    for (std::size_t c = 0; c < readings_.size(); ++c)
      if (readings_[c] == ReadAs::number && (*pass_.found_text)[c].load(std::memory_order_relaxed))
        readings_[c] = ReadAs::skip;
  }

  void read() {
    const char* p = next_row(chunk_.text.data(), end(), dialect_);
    const std::size_t last = chunk_.first_row + chunk_.rows;
    for (row_ = chunk_.first_row; p < end() && row_ < last; ++row_) p = next_row(read_row(p), end(), dialect_);
    // The columns are sized by an earlier count; a file that changed meanwhile may have more or fewer rows.
    if (p < end() || row_ < last)
      throw CsvSyntaxError{chunk_.text.data(),
                           "begins rows that changed while the file was read; run again once the file is complete"};
  }

 private:
  const char* end() const { return chunk_.text.data() + chunk_.text.size(); }

  const char* read_row(const char* const start) {
    const std::size_t columns = readings_.size();
    const char* p = start;
    for (std::size_t c = 0;; ++p) {
      switch (readings_[c]) {
        case ReadAs::number:
          p = read_number(p, c);
          break;
        case ReadAs::text:
          p = read_text(p, c);
          break;
        case ReadAs::skip:
          p = read_field(p, end(), dialect_, field_);
          break;
      }
      ++c;
      const bool last = p == end() || *p == dialect_.newline;
      if (last != (c == columns)) refuse_width(start);
      if (last) return p == end() ? p : p + 1;
    }
  }

  const char* read_number(const char* p, std::size_t c) {
    double value = 0.0;
    if (const char* stop = data::read_plain_number(p, value)) {
      if (*stop == '\r' && dialect_.newline == '\n') ++stop;
      if (stop == end() || *stop == dialect_.delimiter || *stop == dialect_.newline) {
        store_number(c, value);
        return stop;
      }
    }
    p = read_field(p, end(), dialect_, field_);
    store_unusual(c);
    return p;
  }

  /// Stores a number in a rarer form, a missing value, or text, which makes the column a text column.
  void store_unusual(std::size_t c) {
    double number = std::numeric_limits<double>::quiet_NaN();
    if (const auto parsed = data::parse_number(field_.text)) {
      number = *parsed;
    } else if (!is_missing()) {
      (*pass_.found_text)[c].store(true, std::memory_order_relaxed);
      readings_[c] = ReadAs::skip;
      return;
    }
    if (std::isinf(static_cast<float>(number)) && chunk_.infinite[c] == CsvChunk::none) chunk_.infinite[c] = row_;
    store_number(c, number);
  }

  void store_number(std::size_t c, double value) {
    auto number = static_cast<float>(value);
    if (pass_.missing_values->has_numbers() && pass_.missing_values->contains(number))
      number = std::numeric_limits<float>::quiet_NaN();
    else
      chunk_.ranges[c].add(value);
    (*pass_.columns)[c].numbers[row_] = number;
  }

  /// True if the current field is a missing value.
  bool is_missing() const { return data::is_missing(field_.text) || pass_.missing_values->contains(field_.text); }

  const char* read_text(const char* p, std::size_t c) {
    p = read_field(p, end(), dialect_, field_);
    (*pass_.columns)[c].codes[row_] = is_missing() ? -1 : code_of_field(c);
    return p;
  }

  std::int32_t code_of_field(std::size_t c) {
    auto& levels = chunk_.levels[c];
    std::string_view text = field_.text;
    if (field_.doubled) {
      const std::string value = field_.value();
      const auto known = index_[c].find(value);
      if (known != index_[c].end()) return known->second;
      text = chunk_.unescaped.emplace_back(value);  // owns the text that the index references
    }
    const auto [at, is_new] = index_[c].try_emplace(text, static_cast<std::int32_t>(levels.size()));
    if (is_new) levels.push_back(text);
    return at->second;
  }

  [[noreturn]] void refuse_width(const char* start) const {
    const auto fields = read_fields(start, end(), dialect_).size();
    throw CsvSyntaxError{start,
                         "has " + std::to_string(fields) + (fields == 1 ? " field, " : " fields, ") + pass_.width_from};
  }

  CsvChunk& chunk_;
  const CsvPass& pass_;
  const CsvDialect dialect_;
  std::vector<ReadAs> readings_;
  std::vector<std::unordered_map<std::string_view, std::int32_t>> index_;
  std::size_t row_ = 0;
  CsvField field_;
};

}  // namespace

void read_chunk(CsvChunk& chunk, const CsvPass& pass) {
  try {
    ChunkReader(chunk, pass).read();
  } catch (const CsvSyntaxError& error) {
    chunk.error = error;
  }
}

}  // namespace accrete::io
