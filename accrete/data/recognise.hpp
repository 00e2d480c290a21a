#pragma once
// Finds text columns of a training table that are numbers or dates in a local format, and converts them.
//
//   "1.234,5", "$5", "12 %"   in all cells: numbers; the column's format records how they are read
//   "2024-05-01 13:45"        in all cells: dates, replaced by one numeric column per part: "when days", "when year",
//                             "when month", "when weekday", and "when hour" if a cell has a time; a name that is
//                             taken gets a _
//   a different text in each of more than 50 rows: an identifier, removed
//
// apply_formats reads another table in the same formats.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/data/input.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

struct RecogniseOptions {
  std::vector<std::string> keep = {};            ///< columns to leave as they are: targets, weights, categories
  std::vector<std::string> numeric = {};         ///< columns in which text that is not a number becomes missing
  std::vector<std::string> missing_values = {};  ///< the spellings with which the table was read
};

/// A converted column, with one of its texts and how it was read.
struct ConvertedColumn {
  std::string name, text, reading;  ///< "price", "$1,200", "1200"
  bool is_date;
};

/// A text column of which at least nine in ten distinct values are numbers.
struct NearlyNumericColumn {
  std::string name;
  std::size_t row;  ///< the first row, 0-based, that is not a number
  std::string text;
  std::size_t numbers, values;           ///< rows with a number, and rows with any value
  std::vector<std::string> others = {};  ///< distinct texts that are not numbers
};

/// A column of RecogniseOptions::numeric, and how many of its cells became missing.
struct NumericColumn {
  std::string name;
  std::size_t missing, values;
};

/// What was converted, for a message to the user.
struct RecognisedColumns {
  std::vector<ConvertedColumn> converted = {};
  std::vector<NearlyNumericColumn> nearly_numeric = {};
  std::vector<NumericColumn> numeric = {};
  std::vector<std::string> identifiers = {};  ///< removed
};

/// Converts and removes columns of the table, and keeps the order of the others. Throws UsageError for an unknown name.
RecognisedColumns recognise_columns(Table& table, const RecogniseOptions& options);

/// Reads the text columns of a table in the formats of a model's inputs. A cell that does not fit its format stays
/// text; the encoder rejects it and names its row.
void apply_formats(Table& table, std::span<const Input> inputs);
/// The same with the formats of another table's columns.
void apply_formats(Table& table, const Table& formats);

}  // namespace accrete::data
