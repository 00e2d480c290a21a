// A CSV file: chunks do not affect the table, and a table that is written reads back the same.

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "accrete/io/csv.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {
namespace {

/// Text that is equal if the tables are, bit for bit except for the payload of NaN.
std::string content_of(const data::Table& table) {
  std::string content;
  for (const data::Column& column : table.columns) {
    content += column.name + '\x1f' + std::to_string(static_cast<int>(column.kind)) + '\x1f';
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column.kind == data::Column::Kind::numeric) {
        const float number = column.number(row);
        content += std::isnan(number) ? "-" : std::to_string(std::bit_cast<std::uint32_t>(number));
      } else {
        const auto code = column.codes[row];
        content += code < 0 ? "-" : "\x1e" + column.levels[static_cast<std::size_t>(code)];
      }
      content += '\x1f';
    }
  }
  return content;
}

}  // namespace

void fuzz_csv(Bytes bytes) {
  static core::Workers workers(1);
  const std::uint8_t kind = take_byte(bytes);
  io::CsvOptions options;
  options.header = (kind & 1) == 0;
  if (kind & 2) options.delimiter = ";,\t|"[kind >> 2 & 3];
  if (kind & 16) options.missing_values = {"-"};
  const std::string text(as_text(bytes));

  data::Table table;
  const std::string message = refusal([&] { table = io::parse_csv(text, "f.csv", options, workers); });
  io::CsvOptions small = options;
  small.chunk_bytes = 1 + (kind >> 5);
  data::Table in_chunks;
  const std::string other = refusal([&] { in_chunks = io::parse_csv(text, "f.csv", small, workers); });
  require(message == other, "chunks change the error: " + message + " | " + other);
  if (!message.empty()) return;
  const std::string content = content_of(table);
  require(content == content_of(in_chunks), "chunks change the table");

  // A column of missing values only, or of texts that all look like numbers, reads back as another kind; a missing
  // value under a custom spelling reads back as missing.
  io::CsvOptions again{.delimiter = ','};
  for (const data::Column& column : table.columns) {
    if (column.kind == data::Column::Kind::text) again.as_text.push_back(column.name);
  }
  if (kind & 16) return;
  data::Table reread;
  const std::string written = io::to_csv(table);
  const std::string refused = refusal([&] { reread = io::parse_csv(written, "f.csv", again, workers); });
  require(refused.empty(), "a written table is refused: " + refused);
  require(content == content_of(reread), "a written table reads back differently");
}

}  // namespace accrete::fuzz
