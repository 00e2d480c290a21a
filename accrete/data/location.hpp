#pragma once
// The location of a cell, for messages.

#include <cstddef>
#include <string>
#include <string_view>

#include "accrete/core/message.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// "data.csv: row 7 (counting from 1), column 'age'"; each front end counts the way its users do (core/row.hpp). A
/// header is not counted.
core::Message location(const Table& table, std::size_t row, std::string_view column);

/// The same for a cell of a target, which may be in an argument of its own.
core::Message target_location(const Table& table, std::size_t row, std::string_view column);

/// The subject of a message about a target: "data.csv: the target 'price'", or the argument that holds it, such as "y".
std::string target_subject(const Table& table, std::string_view column);

}  // namespace accrete::data
