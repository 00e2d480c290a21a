#pragma once
// The distinct values of a target column: what the choice of a task and the classes are made from.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::data {

struct Label {
  std::string text;              ///< as written; of a numeric column, in the fewest digits
  std::optional<double> number;  ///< nothing when the text is not a number
  std::size_t first_row = 0;
};

/// Labels in order of first appearance, and which of them each row has. Levels that no row has are left out.
struct Labels {
  std::vector<Label> labels;
  std::vector<std::uint32_t> of_row;

  bool all_numbers() const;
};

/// Throws DataError at the first missing value, naming its row.
Labels read_labels(const Table& table, std::size_t column);

/// What there is to know of a target before it is read as labels or as numbers. A target of many numbers has about as
/// many labels as rows, which are not worth their memory.
struct LabelKinds {
  std::size_t distinct = 0;        ///< labels; when all are numbers, those that differ as numbers
  std::size_t numbers = 0;         ///< labels that are numbers
  bool whole = true;               ///< the numbers among them are whole
  std::optional<Label> no_number;  ///< the first, by row, that is none
};

/// Throws as read_labels does.
LabelKinds kinds_of_labels(const Table& table, std::size_t column);

/// One number per row. Throws DataError at the first missing value, UsageError at the first that is no number, and
/// DataError at the first infinity, naming the row.
std::vector<double> read_numbers(const Table& table, std::size_t column);

/// Throws DataError at the first label that is an infinity.
void refuse_infinity(const Table& table, const Column& column, const Labels& labels);

/// Classes in their order: by number when all labels are numbers, by text otherwise. Labels equal as numbers
/// ("1", "1.0") are one class when all are numbers, named as it was first written; whole numbers too large for double
/// are told apart by their digits.
struct Classes {
  std::vector<std::string> names;
  std::vector<std::size_t> of_label;
};

Classes sort_classes(const Labels& labels);

}  // namespace accrete::data
