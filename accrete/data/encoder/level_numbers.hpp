#pragma once
// Categories whose levels are numbers. Text or a number from another file matches the level that is the same number:
// "1.0" in one file is "1" in another.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// The complete text parsed as a number; unset if it is not one.
std::optional<float> number_of_text(std::string_view text);

/// Maps a number to the index of its level: the level that writes it in the shortest way, else the first that writes it
/// differently ("007").
std::unordered_map<float, float> levels_by_number(const Input& input);

/// Common spellings of a number: "2", "2.", "2.0" up to six zeros, "02"; ".5", "0.5", "0.50".
std::vector<std::string> number_spellings(float number);

}  // namespace accrete::data
