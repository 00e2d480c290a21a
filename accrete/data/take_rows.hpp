#pragma once

#include <cstddef>
#include <span>

#include "accrete/data/table.hpp"

namespace accrete::data {

/// The listed rows of a column, with its levels and format.
Column take_rows(const Column& column, std::span<const std::size_t> rows);

/// A table of the listed rows, with the same columns, levels and formats.
Table take_rows(const Table& table, std::span<const std::size_t> rows);

/// The same, with only the listed columns.
Table take_rows(const Table& table, std::span<const std::size_t> rows, std::span<const std::size_t> columns);

}  // namespace accrete::data
