#pragma once
// Suggestions for names that were mistyped.

#include <string>
#include <string_view>

namespace accrete::core {

/// The name of the list ("a, b, c") that differs least from `wanted`, or nothing if none is close: a letter too many,
/// missing, wrong or swapped with the next, at most one such edit in three letters; or a name that is a word of
/// `wanted`, as auc is of roc_auc. Case does not count.
std::string closest_name(std::string_view wanted, std::string_view names);

/// "; did you mean 'tanh'?", or nothing.
std::string did_you_mean(std::string_view wanted, std::string_view names);

}  // namespace accrete::core
