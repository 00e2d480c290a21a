#pragma once
// Text and number formatting in pages.

#include <cstddef>
#include <string>
#include <string_view>

#include "accrete/core/counted.hpp"

namespace accrete::report {

/// Escapes HTML, for text and quoted attributes.
std::string escape(std::string_view text);

/// Cuts to max_characters of UTF-8; the last one becomes an ellipsis if any were cut.
std::string shorten(std::string_view text, std::size_t max_characters);

std::string show_number(double value);                           ///< four digits; a dash for NaN
std::string show_metric(const std::string& name, double value);  ///< accuracy in percent
std::string metric_title(const std::string& name);               ///< "log loss"

using core::counted;

}  // namespace accrete::report
