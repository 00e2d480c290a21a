#pragma once
// The spellings of a missing value; see is_missing in table.hpp.

#include <array>
#include <string_view>

namespace accrete::data {

/// In lower case; the comparison ignores case and surrounding blanks.
inline constexpr std::array<std::string_view, 7> missing_words{"", "na", "n/a", "?", "nan", "null", "none"};

}  // namespace accrete::data
