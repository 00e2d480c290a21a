#pragma once
// Static figures of charts, drawn by the program gnuplot. It reads its script from standard input and writes the image
// to standard output without touching files.

#include <optional>
#include <string>

#include "report/charts/chart.hpp"

namespace accrete::report {

enum class Format { svg, png };

class Gnuplot {
 public:
  /// The first gnuplot in PATH, or nullopt.
  static std::optional<Gnuplot> find();

  /// The bytes of the image. Throws core::Error with gnuplot's message if it fails.
  std::string draw(const Chart& chart, Format format) const;
  std::string draw(const FieldRow& row, Format format) const;

 private:
  explicit Gnuplot(std::string program) : program_(std::move(program)) {}

  std::string run_script(const std::string& script) const;

  std::string program_;
};

/// The script of a chart. Quotes text such that it cannot end its quotes or run a command.
std::string gnuplot_script(const Chart& chart, Format format);
std::string gnuplot_script(const FieldRow& row, Format format);

}  // namespace accrete::report
