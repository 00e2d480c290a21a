#pragma once
// Converts a text column to numbers in a given format. Internal to recognise.hpp.

#include <string>

#include "accrete/data/recognise/text_format.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// Makes a text column of the table numeric: NaN where a cell is missing, or is not a number and the format allows
/// that. Throws DataError for the first other cell. Does not move the name, because an index may refer to it.
void convert_column(const Table& table, Column& column, const TextFormat& format);

/// One part of a date column, as a column of its own. Throws as convert_column does.
Column date_column(const Table& table, const Column& from, std::string name, const TextFormat& format);

}  // namespace accrete::data
