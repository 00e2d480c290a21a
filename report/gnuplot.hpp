#pragma once
// Still pictures of charts, drawn by the program gnuplot. It reads commands and data from its standard input and writes
// the picture to its standard output; nothing else of the machine is touched.

#include <optional>
#include <string>

#include "report/chart.hpp"

namespace accrete::report {

enum class Format { svg, png };

class Gnuplot {
 public:
  /// The first gnuplot of the PATH; nothing where there is none.
  static std::optional<Gnuplot> find();

  /// The picture's bytes. Throws core::Error with gnuplot's own words when it fails.
  std::string draw(const Chart& chart, Format format) const;

 private:
  explicit Gnuplot(std::string program) : program_(std::move(program)) {}

  std::string program_;
};

/// What gnuplot is told; names in it cannot end their quotes.
std::string gnuplot_script(const Chart& chart, Format format);

}  // namespace accrete::report
