#pragma once
// The distinct values of a target column, which determine task and classes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::data {

struct Label {
  std::string text;              ///< as in the file; for a numeric column, in the fewest digits
  std::optional<double> number;  ///< unset if the text is not a number
  std::size_t first_row = 0;
};

/// Labels in order of first appearance, and the label index of each row. Levels without rows are omitted.
struct Labels {
  std::vector<Label> labels;
  std::vector<std::uint32_t> of_row;

  bool all_numbers() const;
};

/// Throws DataError that names the row of the first missing value.
Labels read_labels(const Table& table, std::size_t column);

/// Summary of a target's labels for choosing the task. Does not store them, because a numeric target has about one
/// label per row.
struct LabelSummary {
  std::size_t distinct = 0;         ///< number of labels; of distinct numbers if all are numbers
  std::size_t numbers = 0;          ///< labels that are numbers
  bool integers = true;             ///< all labels that are numbers are integers
  std::optional<Label> not_number;  ///< the first label, by row, that is not a number
};

/// Throws as read_labels does.
LabelSummary summarise_labels(const Table& table, std::size_t column);

/// One number per row. Throws for the first value that is missing (DataError), not a number (UsageError) or infinite
/// (DataError), and names its row.
std::vector<double> read_numbers(const Table& table, std::size_t column);

/// Throws DataError for the first infinite label.
void refuse_infinity(const Table& table, const Column& column, const Labels& labels);

/// Classes, sorted by number if all labels are numbers, else by text. Labels that are the same number ("1", "1.0") are
/// one class, named as it first appears; integers too large for double are compared by their digits.
struct Classes {
  std::vector<std::string> names;
  std::vector<std::size_t> of_label;
};

Classes sort_classes(const Labels& labels);

}  // namespace accrete::data
