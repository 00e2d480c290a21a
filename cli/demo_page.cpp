#include "cli/demo_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/canvas.hpp"
#include "cli/demo_figure.hpp"
#include "cli/demo_style.hpp"
#include "cli/viridis.hpp"

namespace accrete::cli {
namespace {

constexpr const char* introduction = R"html(<h1>One network, a hundred sizes</h1>
<p>accrete grew <strong>one</strong> network of {units} hidden units, one unit per step, on {rows} points of two
overlapping clouds. Each panel uses only the first units of that same network: the dial moves, nothing is trained again.
Colour is the probability of class 2; the black line is where it is one half.</p>
)html";

constexpr const char* next = R"html(<h2>What to do next</h2>
<p>Train on a CSV file of your own, see what each size is worth, and predict with the size you want:</p>
<pre><code>accrete train yours.csv --target COLUMN -o yours.safetensors
accrete evaluate yours.safetensors held-out.csv --units all
accrete predict yours.safetensors new.csv --units 40 -o predictions.csv</code></pre>
<p>No data at hand? <code>accrete data list</code> names what is built in, and <code>accrete data make tic-tac-toe -o
ttt.csv</code> writes one.</p>
)html";

std::string panels(const Experiment& experiment) {
  std::string html = "<div class=\"row\">\n";
  for (std::size_t i = 0; i < Experiment::panel_units.size(); ++i) {
    const std::size_t units = Experiment::panel_units[i];
    html += fmt::format("<figure>{}<figcaption><b>{}</b><span>accuracy {}</span></figcaption></figure>\n",
                        draw_panel(experiment, units, experiment.panels[i]).svg(), units_title(units),
                        percent(experiment.accuracy(units)));
  }
  return html + "</div>\n";
}

/// One mark of the legend, as it looks in the panels.
std::string key_entry(const Canvas& drawing, const std::string& words) {
  return fmt::format("<span>{}{}</span>\n", drawing.svg(), words);
}

std::string key() {
  std::string html = "<div class=\"key\">\n";
  for (std::size_t c = 0; c < 2; ++c) {
    Canvas mark(26.0, 20.0, 1.0, "marker");
    Marker marker = class_markers()[c];
    marker.radius *= 1.6;
    const Point middle[] = {{13.0, 10.0}};
    mark.markers(middle, marker);
    html += key_entry(mark, fmt::format("class {}, training point", c + 1));
  }
  Canvas line(26.0, 20.0, 1.0, "line");
  const Segment sample[] = {{{2.0, 10.0}, {24.0, 10.0}}};
  line.picture({0.0, 3.0, 26.0, 14.0}, {1, 1, {viridis(0.5)}});  // on a dark page black alone would not be seen
  line.lines(sample, boundary_pen());
  html += key_entry(line, "decision boundary");
  std::string stops;
  for (const Rgb colour : viridis_anchors) stops += fmt::format(",{}", css(colour));
  return html + fmt::format(
                    "<span>probability of class 2: 0 <i class=\"bar\" style=\"background:linear-gradient(90deg{})\""
                    "></i> 1</span>\n</div>\n",
                    stops);
}

std::string table(const Experiment& experiment) {
  std::string html =
      "<table><thead><tr><th scope=\"col\">units used</th><th scope=\"col\">test accuracy</th></tr></thead><tbody>\n";
  for (const std::size_t units : Experiment::table_units)
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", units, percent(experiment.accuracy(units)));
  return html + fmt::format(
                    "</tbody><tfoot><tr><th scope=\"row\">best possible (Bayes)</th><td>{}</td></tr></tfoot></table>\n",
                    percent(experiment.bayes));
}

/// A section that only the script can use, and so only the script shows.
std::string dial(const Experiment& experiment) {
  nlohmann::json frames = nlohmann::json::array();
  for (std::size_t units = 1; units <= Experiment::units; ++units) {
    const Surface& surface = experiment.surface(units);
    frames.push_back(
        {png_uri(coloured(surface)), path_data(boundary(surface, panel_box())), percent(experiment.accuracy(units))});
  }
  return fmt::format(
      "<section id=\"dial-part\" hidden>\n<h2>Turn the dial</h2>\n<div class=\"dial\" id=\"dial\">\n<div>{}</div>\n"
      "<div><label for=\"units\">Units used</label>\n<input type=\"range\" id=\"units\" min=\"1\" max=\"{}\" "
      "value=\"10\">\n"
      "<output for=\"units\"></output></div>\n</div>\n</section>\n"
      "<script type=\"application/json\" id=\"frames\">{}</script>\n<script>{}</script>\n",
      draw_panel(experiment, Experiment::units, experiment.surface(Experiment::units)).svg(), Experiment::units,
      frames.dump(), demo_script);
}

std::string settings(const Experiment& experiment) {
  std::string flags = "--preset paper";
  for (const auto& [name, value] : experiment.settings)
    flags += fmt::format(" {} {}", boosting::parameter_named(name).flag(), value);
  return fmt::format(
      "<h2>How it was made</h2>\n<p>This is the illustrative example of S. Emami and G. Mart\u00ednez-Mu\u00f1oz, "
      "<cite>Sequential Training of Neural Networks With Gradient Boosting</cite>, IEEE Access 11 (2023). Class 1 is "
      "normal "
      "around (0, 0) with covariance 4 I, class 2 around (\u221a2, \u221a2) with covariance I. The densities are "
      "known, and so is "
      "the best possible rule. The paper sets {} points and {} units, one per step, and leaves the learning rate open; "
      "here it is 0.5, and every step sees all points. As flags:</p>\n<pre><code>{}</code></pre>\n",
      Experiment::training_rows, Experiment::units, flags);
}

}  // namespace

std::string demo_page(const Experiment& experiment) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>accrete: one network, a hundred sizes</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>";
  html += demo_style;
  html += "</style>\n</head>\n<body>\n<main>\n";
  html += fmt::format(introduction, fmt::arg("units", Experiment::units), fmt::arg("rows", Experiment::training_rows));
  html += panels(experiment) + key() + dial(experiment);
  html += fmt::format(
      "<h2>Accuracy over units</h2>\n<p>On {} fresh rows.</p>\n<div "
      "class=\"two\">\n<div>{}</div>\n<div>{}</div>\n</div>\n",
      Experiment::test_rows, table(experiment), draw_curve(experiment).svg());
  html += next + settings(experiment);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace accrete::cli
