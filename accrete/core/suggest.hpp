#pragma once
// Suggestions for mistyped names.

#include <string>
#include <string_view>

namespace accrete::core {

/// The name in the list ("a, b, c") closest to `wanted`; unset if none is close. Edits are an extra, missing, wrong or
/// swapped letter, at most one per three letters. A name that is a word of `wanted` also matches, such as auc in
/// roc_auc. Ignores case.
std::string closest_name(std::string_view wanted, std::string_view names);

/// "; did you mean 'tanh'?", or empty.
std::string did_you_mean(std::string_view wanted, std::string_view names);

}  // namespace accrete::core
