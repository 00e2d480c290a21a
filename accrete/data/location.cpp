#include "accrete/data/location.hpp"

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
  return location_in(table.target_source.empty() ? table.source : table.target_source, row, column);
}

}  // namespace accrete::data
