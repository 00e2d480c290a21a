// A file of sparse rows.

#include <cmath>
#include <string>

#include "accrete/io/svmlight.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {

void fuzz_svmlight(Bytes bytes) {
  const std::uint8_t kind = take_byte(bytes);
  io::SvmlightOptions options;
  options.zero_based = (kind & 1) != 0;
  // Every column of a table takes memory. Known names bound the number of columns, so that the search stays fast.
  for (int i = 0; i < 64; ++i) options.columns.push_back("f" + std::to_string(i));
  data::Table table;
  const std::string message =
      refusal([&] { table = io::parse_svmlight(io::FileText::of(std::string(as_text(bytes))), "f.svm", options); });
  if (!message.empty()) return;
  require(table.rows() > 0, "an accepted file has rows");
  for (const data::Column& column : table.columns) {
    require(column.size() == table.rows(), "columns have as many rows as the table");
    if (!column.sparse) continue;
    for (std::size_t row = 0; row < column.size(); ++row)
      require(std::isfinite(column.number(row)), "sparse numbers are finite");
  }
}

}  // namespace accrete::fuzz
