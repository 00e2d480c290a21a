#include "accrete/data/location.hpp"

#include <fmt/format.h>

#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"

namespace accrete::data {

namespace {

core::Message location_in(const std::string& source, std::size_t row, std::string_view column) {
  return core::message("{}: {}, column '{}'", source, core::row(row), column);
}

}  // namespace

core::Message location(const Table& table, std::size_t row, std::string_view column) {
  return location_in(table.source, row, column);
}

core::Message target_location(const Table& table, std::size_t row, std::string_view column) {
  return location_in(table.target_argument.empty() ? table.source : table.target_argument, row, column);
}

std::string target_subject(const Table& table, std::string_view column) {
  if (!table.target_argument.empty()) return table.target_argument;
  return fmt::format("{}: the target '{}'", table.source, column);
}

}  // namespace accrete::data
