#pragma once

#include <cstddef>
#include <span>

#include "accrete/data/table.hpp"

namespace accrete::data {

/// A table of the listed rows, with the same columns, levels and formats.
Table take_rows(const Table& table, std::span<const std::size_t> rows);

/// The same with the listed columns only.
Table take_rows(const Table& table, std::span<const std::size_t> rows, std::span<const std::size_t> columns);

}  // namespace accrete::data
