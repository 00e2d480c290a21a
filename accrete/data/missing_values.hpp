#pragma once
// Spellings of a missing value that a user adds to those of is_missing: "-", "unknown", "-999".

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::data {

class MissingValues {
 public:
  MissingValues() = default;
  explicit MissingValues(const std::vector<std::string>& spellings) : spellings_(spellings) {
    for (const std::string& text : spellings_)
      if (const auto number = parse_number(text)) numbers_.push_back(static_cast<float>(*number));
  }

  /// Compared as text, as written.
  bool contains(std::string_view text) const { return std::ranges::find(spellings_, text) != spellings_.end(); }
  /// Compared as numbers: "-999" is also -999.0.
  bool contains(float number) const { return std::ranges::find(numbers_, number) != numbers_.end(); }

  bool empty() const { return spellings_.empty(); }
  bool has_numbers() const { return !numbers_.empty(); }

 private:
  std::vector<std::string> spellings_;
  std::vector<float> numbers_;
};

}  // namespace accrete::data
