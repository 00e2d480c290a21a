#include "accrete/data/location.hpp"

#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"

namespace accrete::data {

core::Message location(const Table& table, std::size_t row, std::string_view column) {
  return core::message("{}: {}, column '{}'", table.source, core::row(row), column);
}

}  // namespace accrete::data
