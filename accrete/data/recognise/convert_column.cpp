#include "accrete/data/recognise/convert_column.hpp"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/location.hpp"
#include "accrete/data/missing_values.hpp"

namespace accrete::data {
namespace {

constexpr float missing_number = std::numeric_limits<float>::quiet_NaN();

core::FloatColumn read_numbers(const Table& table, const Column& column, const TextFormat& format) {
  std::vector<std::optional<double>> of_level;
  const MissingValues more_missing(format.missing);
  for (const std::string& level : column.levels)
    of_level.push_back(more_missing.contains(level) ? missing_number : parse_number(level, format));
  core::FloatColumn numbers(column.codes.size());
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const auto code = column.codes[r];
    const auto number = code < 0 ? missing_number : of_level[static_cast<std::size_t>(code)];
    if (!number && !format.others_missing)
      throw core::DataError(core::message("{}: '{}' is not a {}; the model needs {}s here",
                                          location(table, r, column.name),
                                          column.levels[static_cast<std::size_t>(code)],
                                          format.is_date() ? "date" : "number", format.is_date() ? "date" : "number"));
    numbers[r] = static_cast<float>(number.value_or(missing_number));
  }
  return numbers;
}

}  // namespace

void convert_column(const Table& table, Column& column, const TextFormat& format) {
  column.numbers = read_numbers(table, column, format);
  column.kind = Column::Kind::numeric;
  column.codes = {};
  column.levels = {};
  column.format = format;
}

Column date_column(const Table& table, const Column& from, std::string name, const TextFormat& format) {
  Column column;
  column.name = std::move(name);
  column.numbers = read_numbers(table, from, format);
  column.format = format;
  return column;
}

}  // namespace accrete::data
