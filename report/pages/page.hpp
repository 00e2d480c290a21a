#pragma once
// A self-contained HTML page: one file, no network access, complete without JavaScript and interactive with it.
//
// Add headings, paragraphs, tables and figures in reading order, then call html(). All texts are escaped except
// markup().
//
//   Page page("Results", gnuplot);
//   page.heading("Accuracy");
//   page.figure({"accuracy", "Mean of ten folds.", chart, table});
//   write(page.html());
//
// A figure shows gnuplot's image until scripts run, then D3's drawing (report/assets/charts.js). A page's own script
// changes accrete.charts[id] and calls accrete.draw(id).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/charts/chart.hpp"
#include "report/gnuplot/gnuplot.hpp"

namespace accrete::report {

/// Numbers are right-aligned. The first column names the row.
struct Table {
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct Figure {
  std::string id;       ///< letters, digits and hyphens; also the file name
  std::string caption;  ///< what the reader should notice
  Chart chart;
  Table table = {};        ///< the numbers of the figure: collapsed, or open if there is no image
  std::string group = {};  ///< CSS class of the surrounding grid; default: "panels" for fields, "figures" for others
};

class Page {
 public:
  /// Without gnuplot, figures have no static image, their tables are open, and a note explains why.
  Page(std::string title, std::optional<Gnuplot> gnuplot);

  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void table(const Table& table, std::string_view id = "");
  void figure(Figure figure);  ///< adjacent figures share a line: two on a wide page, up to five fields
  void markup(std::string_view html);

  /// Embeds JSON for scripts: JSON.parse(document.getElementById(id).textContent). NaN becomes null.
  void data(std::string_view id, const Json& json);
  /// Runs after D3 and charts.js, which every page with figures includes.
  void script(std::string_view code);

  const std::vector<Figure>& figures() const& { return figures_; }
  const std::vector<Figure>& figures() && = delete;  ///< would dangle, e.g. in a range-for
  std::string html() const;

 private:
  void close_figure_group();

  std::string title_, body_, data_, scripts_;
  std::optional<Gnuplot> gnuplot_;
  std::vector<Figure> figures_;
  std::string figure_group_;  ///< CSS class of the open element around figures; empty: none
};

}  // namespace accrete::report
