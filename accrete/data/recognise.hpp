#pragma once
// Finds the text columns of a training table that are numbers or dates written in another way, and converts them.
//
//   "1.234,5", "$5", "12 %"   in all cells: numbers; the column's format says how they are read
//   "2024-05-01 13:45"        in all cells: dates, replaced by one numeric column per part: "when days", "when year",
//                             "when month", "when weekday", and "when hour" if a cell has a time; a name that the
//                             table has already gets a _
//   a text of its own in each of more than 50 rows: an identifier, removed
//
// apply_formats reads another table in the same way.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/data/input.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

struct RecogniseOptions {
  std::vector<std::string> keep = {};            ///< columns that stay as they are: targets, weights, categories
  std::vector<std::string> numeric = {};         ///< columns whose texts that are not numbers become missing values
  std::vector<std::string> missing_values = {};  ///< the spellings that the table was read with
};

/// A column that was converted: one of its texts and its reading.
struct ConvertedColumn {
  std::string name, text, reading;  ///< "price", "$1,200", "1200"
  bool is_date;
};

/// A column that is text, although at least nine in ten of its distinct values are numbers.
struct NearlyNumericColumn {
  std::string name;
  std::size_t row;  ///< the first, 0-based, that is not a number
  std::string text;
  std::size_t numbers, values;           ///< rows that hold a number, and rows that are not missing
  std::vector<std::string> others = {};  ///< the distinct texts that are not numbers
};

/// A column of RecogniseOptions::numeric, and how many of its texts became missing values.
struct NumericColumn {
  std::string name;
  std::size_t missing, values;
};

/// For the user.
struct RecognisedColumns {
  std::vector<ConvertedColumn> converted = {};
  std::vector<NearlyNumericColumn> nearly_numeric = {};
  std::vector<NumericColumn> numeric = {};
  std::vector<std::string> identifiers = {};  ///< removed
};

/// Converts and removes columns of the table; the others keep their order. Throws UsageError for an unknown name.
RecognisedColumns recognise_columns(Table& table, const RecogniseOptions& options);

/// Reads the text columns of a table in the formats of a model's inputs. A cell that does not fit its format stays
/// text, which the encoder refuses with its row.
void apply_formats(Table& table, std::span<const Input> inputs);
/// The same in the formats of another table's columns.
void apply_formats(Table& table, const Table& formats);

}  // namespace accrete::data
