#pragma once
// Parts shared by all gnuplot scripts, and the scripts of charts that have their own file.

#include <cstddef>
#include <string>
#include <string_view>

#include "report/gnuplot/gnuplot.hpp"

namespace accrete::report::gnuplot {

/// Encloses text in single quotes, in which gnuplot expands nothing.
std::string quote(std::string_view text);

/// The size is in points; a PNG has two pixels per point.
std::string terminal(Format format, std::size_t width, std::size_t height);

std::string ranks_script(const Ranks& ranks, Format format);
std::string field_script(const Field& field, Format format);
std::string field_row_script(const FieldRow& row, Format format);

}  // namespace accrete::report::gnuplot
