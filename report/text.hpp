#pragma once
// Texts for people: escaped, shortened, and figures as they are shown.

#include <cstddef>
#include <string>
#include <string_view>

#include "accrete/core/counted.hpp"

namespace accrete::report {

/// For HTML, between tags and in quoted attributes.
std::string escape(std::string_view text);

/// At most so many characters of UTF-8, the last one an ellipsis when some were left out.
std::string shortened(std::string_view text, std::size_t most);

std::string show_number(double value);                           ///< four digits; a dash for NaN
std::string show_metric(const std::string& name, double value);  ///< accuracy in per cent
std::string metric_title(const std::string& name);               ///< "log loss"

using core::counted;

}  // namespace accrete::report
