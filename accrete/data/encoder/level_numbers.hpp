#pragma once
// Categories whose levels are numbers. A text or number of another file means the level that is the same number: "1.0"
// in one file is "1" in another.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// The number that the whole text spells, if any.
std::optional<float> spelt_number(std::string_view text);

/// The index of the level that a number means: the level that spells it in the shortest way, else the first one that
/// spells it differently ("007").
std::unordered_map<float, float> levels_by_number(const Input& input);

/// The usual spellings of a number: "2", "2.", "2.0" to six zeros, "02"; ".5", "0.5", "0.50".
std::vector<std::string> number_spellings(float number);

}  // namespace accrete::data
