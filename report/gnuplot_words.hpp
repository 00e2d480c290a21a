#pragma once
// What every script for gnuplot is made of, and the charts that have a file of their own.

#include <cstddef>
#include <string>
#include <string_view>

#include "report/gnuplot.hpp"

namespace accrete::report::gnuplot_words {

/// In single quotes, where gnuplot replaces nothing and runs nothing.
std::string in_quotes(std::string_view text);

/// Sizes are in points of a page; a PNG has two pixels to each.
std::string terminal(Format format, std::size_t width, std::size_t height);

std::string ranks_script(const Ranks& ranks, Format format);
std::string field_script(const Field& field, Format format);

}  // namespace accrete::report::gnuplot_words
