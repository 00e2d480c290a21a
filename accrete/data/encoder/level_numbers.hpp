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
std::optional<double> number_of_text(std::string_view text);

/// The shortest text of a number: 3 is "3" and 0.1 is "0.1".
std::string text_of_number(double x);

/// Maps a number to the index of its level: the level that writes it in the shortest way, else the first that writes it
/// differently ("007"). Numbers from 2^53 on are left out: they match as text only.
std::unordered_map<double, float> levels_by_number(const Input& input);

/// The same for numbers in single precision. A float that two levels round to has none, and neither has a whole number
/// that no float holds: of the ids around 100000001, a float keeps every eighth.
std::unordered_map<float, float> levels_by_float(const std::unordered_map<double, float>& by_number);

/// Common spellings of a number: "2", "2.", "2.0" up to six zeros, "02"; ".5", "0.5", "0.50".
std::vector<std::string> number_spellings(double number);

}  // namespace accrete::data
