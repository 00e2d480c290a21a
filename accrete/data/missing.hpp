#pragma once
// The words that stand for a gap; see is_missing in table.hpp.

#include <array>
#include <string_view>

namespace accrete::data {

/// In small letters; capitals and blanks around them make no difference.
inline constexpr std::array<std::string_view, 7> missing_words{"", "na", "n/a", "?", "nan", "null", "none"};

}  // namespace accrete::data
