// Cells of a text column, one per line: recognise_columns converts them, and apply_formats reads the same texts in the
// same way.

#include <cmath>
#include <string>

#include "accrete/data/recognise.hpp"
#include "accrete/io/csv.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {

void fuzz_columns(Bytes bytes) {
  static core::Workers workers(1);
  const std::uint8_t kind = take_byte(bytes);
  io::CsvOptions options{.delimiter = '\t', .header = false};
  data::Table table;
  if (!refusal([&] { table = io::parse_csv(std::string(as_text(bytes)), "f.csv", options, workers); }).empty()) return;
  data::Table other = table;
  data::RecogniseOptions recognise;
  if (kind & 1) recognise.numeric = {"c0"};
  const std::size_t rows = table.rows();
  if (!refusal([&] { data::recognise_columns(table, recognise); }).empty()) return;
  for (const data::Column& column : table.columns) require(column.size() == rows, "converted columns keep their rows");
  if (table.columns.empty()) return;
  if (!refusal([&] { data::apply_formats(other, table); }).empty()) return;
  for (const data::Column& column : table.columns) {
    const auto found = other.find(column.name);
    if (!found) continue;  // a part of a date
    const data::Column& again = other.columns[*found];
    require(again.kind == column.kind, "the same texts have the same kind: " + column.name);
    if (column.kind != data::Column::Kind::numeric) continue;
    for (std::size_t row = 0; row < rows; ++row) {
      const float a = column.number(row), b = again.number(row);
      require(a == b || (std::isnan(a) && std::isnan(b)), "the same texts have the same numbers: " + column.name);
    }
  }
}

}  // namespace accrete::fuzz
