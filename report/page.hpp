#pragma once
// A page that is one HTML file: opens from disk, asks nothing of any other place, reads without scripts and is livelier
// with them.
//
// Life: made with a title -> headings, paragraphs, tables and figures in the order they are read -> html(). All texts
// are escaped here; only markup() is taken as it is.
//
//   Page page("Results", gnuplot);
//   page.heading("Accuracy");
//   page.figure({"accuracy", "Mean of ten folds.", chart, table});
//   write(page.html());
//
// A figure shows gnuplot's picture until scripts run, and D3's drawing then (report/charts.js, which draws every figure
// by itself). A script of one's own finds the charts as accrete.charts[id], changes them and calls accrete.draw(id).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/chart.hpp"
#include "report/gnuplot.hpp"

namespace accrete::report {

/// Cells that are numbers stand to the right. The first column names the row.
struct Table {
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct Figure {
  std::string id;       ///< of letters, digits and hyphens; also the name of the file
  std::string caption;  ///< what to see in it
  Chart chart;
  Table table = {};  ///< the same in numbers: folded away, and open where there is no picture
};

class Page {
 public:
  /// Without gnuplot figures have no still picture, their tables are open, and a note says so.
  Page(std::string title, std::optional<Gnuplot> gnuplot);

  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void table(const Table& table, std::string_view id = "");
  void figure(Figure figure);  ///< neighbours share a line where the page is wide; fields, up to five
  void markup(std::string_view html);

  /// JSON for scripts: JSON.parse(document.getElementById(id).textContent). NaN becomes null.
  void data(std::string_view id, const Json& json);
  /// Run after D3 and charts.js, which come with the first figure.
  void script(std::string_view code);

  const std::vector<Figure>& figures() const& { return figures_; }
  const std::vector<Figure>& figures() && = delete;  ///< would outlive the page, in a range-for for one
  std::string html() const;

 private:
  void leave_figures();

  std::string title_, body_, data_, scripts_;
  std::optional<Gnuplot> gnuplot_;
  std::vector<Figure> figures_;
  std::string among_;  ///< the class of the element that figures are being put in; empty: none is open
};

}  // namespace accrete::report
