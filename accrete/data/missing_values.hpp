#pragma once
// Additional spellings of a missing value, given by the user: "-", "unknown", "-999".

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

  /// Compares the exact text.
  bool contains(std::string_view text) const { return std::ranges::find(spellings_, text) != spellings_.end(); }
  /// Compares numbers: "-999" also matches -999.0.
  bool contains(float number) const { return std::ranges::find(numbers_, number) != numbers_.end(); }

  bool empty() const { return spellings_.empty(); }
  bool has_numbers() const { return !numbers_.empty(); }

 private:
  std::vector<std::string> spellings_;
  std::vector<float> numbers_;
};

}  // namespace accrete::data
