#pragma once
// Static pictures of charts, drawn by the program gnuplot. It reads its script from standard input and writes the
// picture to standard output; it touches no file.

#include <optional>
#include <string>

#include "report/charts/chart.hpp"

namespace accrete::report {

enum class Format { svg, png };

class Gnuplot {
 public:
  /// The first gnuplot in PATH, or nullopt.
  static std::optional<Gnuplot> find();

  /// The picture's bytes. Throws core::Error with gnuplot's message if it fails.
  std::string draw(const Chart& chart, Format format) const;
  std::string draw(const FieldRow& row, Format format) const;

 private:
  explicit Gnuplot(std::string program) : program_(std::move(program)) {}

  std::string run_script(const std::string& script) const;

  std::string program_;
};

/// The script for a chart. Texts are quoted so that none of them can end its quotes or run a command.
std::string gnuplot_script(const Chart& chart, Format format);
std::string gnuplot_script(const FieldRow& row, Format format);

}  // namespace accrete::report
