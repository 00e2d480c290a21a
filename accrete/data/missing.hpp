#pragma once
// The texts that mean a missing value; see is_missing in table.hpp.

#include <array>
#include <string_view>

namespace accrete::data {

/// In lower case; matched in any case, with surrounding blanks ignored.
inline constexpr std::array<std::string_view, 7> missing_words{"", "na", "n/a", "?", "nan", "null", "none"};

}  // namespace accrete::data
