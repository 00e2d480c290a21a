#include "report/gnuplot/script_parts.hpp"

#include <fmt/format.h>

namespace accrete::report::gnuplot {

/// gnuplot reads doubled quotes as one quote only in some places, so an apostrophe becomes a typographic one.
std::string quote(std::string_view text) {
  std::string result = "'";
  for (const char c : text)
    if (c == '\'')
      result += "\u2019";
    else
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return result + "'";
}

/// standalone: images are embedded in the SVG; without it gnuplot would write them to files.
std::string terminal(Format format, std::size_t width, std::size_t height) {
  constexpr const char* look = "noenhanced font 'DejaVu Sans,12' background '#ffffff'";
  const std::string kind =
      format == Format::svg
          ? fmt::format("svg size {},{} dynamic standalone {}", width, height, look)
          : fmt::format("pngcairo size {},{} {} fontscale 1.7 linewidth 2 pointscale 2", 2 * width, 2 * height, look);
  return fmt::format("set terminal {}\nset encoding utf8\n", kind);
}

}  // namespace accrete::report::gnuplot
