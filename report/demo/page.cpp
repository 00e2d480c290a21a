// The demo's page and its figure.

#include <fmt/format.h>

#include <algorithm>

#include "report/assets/assets.hpp"
#include "report/charts/text.hpp"
#include "report/demo/demo.hpp"

namespace accrete::report {
namespace {

using experiment::Plane;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100.0 * share);
}

/// Without class names, a field has no legend.
Field make_field(const Demo& demo, std::size_t units, const std::vector<double>& values, bool named) {
  Field field{.title = counted(units, "unit"),
              .x_label = "x\u2081",
              .y_label = "x\u2082",
              .limit = demo.limit,
              .values = values,
              .classes = demo.classes};
  while (field.side * field.side < values.size()) ++field.side;
  if (!named)
    for (ClassPoints& marked : field.classes) marked.name.clear();
  return field;
}

/// The legend shared by all panels, with and without scripts.
constexpr const char* legend = R"html(<div class="legend">
<span><svg width="14" height="14" aria-hidden="true"><circle class="class-0" cx="7" cy="7" r="4"/></svg>class 1</span>
<span><svg width="14" height="14" aria-hidden="true"><path class="class-1" d="M7,2L12,11H2Z"/></svg>class 2</span>
<span><svg width="22" height="14" aria-hidden="true"><path class="boundary" d="M1,7H21"/></svg>decision boundary</span>
<span>probability of class 2: 0 <i class="scale"></i> 1</span>
</div>
)html";

/// Hidden until demo.js runs, because only a script can move it.
std::string dial() {
  return fmt::format(
      "<div class=\"dial\" id=\"dial\" hidden><label for=\"units\">Units used</label>\n"
      "<input type=\"range\" id=\"units\" min=\"1\" max=\"{0}\" value=\"{0}\">\n<output "
      "for=\"units\"></output></div>\n",
      Plane::units);
}

std::vector<double> numbers_of_units() {
  std::vector<double> units;
  for (std::size_t k = 1; k <= Plane::units; ++k) units.push_back(static_cast<double>(k));
  return units;
}

Figure accuracy_figure(const Demo& demo) {
  Plot plot{.title = "Accuracy over units", .x = {.label = "units used"}, .y = {.label = "test accuracy, %"}};
  Series line{.name = "network", .x = numbers_of_units()};
  for (const double accuracy : demo.accuracy) line.y.push_back(100.0 * accuracy);
  Series bayes{.name = "best possible (Bayes rule)",
               .x = {1.0, static_cast<double>(Plane::units)},
               .y = {100.0 * demo.bayes, 100.0 * demo.bayes},
               .colour = 6,
               .faint = true};
  plot.series = {std::move(line), std::move(bayes)};
  Table table{{"units", "test accuracy"}, {}};
  for (const std::size_t units : Demo::table_units)
    table.rows.push_back({std::to_string(units), percent(demo.accuracy_with(units))});
  table.rows.push_back({"best possible (Bayes rule)", percent(demo.bayes)});
  return {.id = "accuracy",
          .caption = fmt::format("On {} test rows.", Plane::test_rows),
          .chart = std::move(plot),
          .table = std::move(table),
          .group = "trio"};
}

Figure loss_figure(const Demo& demo) {
  Plot plot{.title = "Loss over units", .x = {.label = "units used"}, .y = {.label = "mean log loss"}};
  plot.series = {{.name = "test rows", .x = numbers_of_units(), .y = demo.test_loss},
                 {.name = "training rows", .x = numbers_of_units(), .y = demo.training_loss, .colour = 6}};
  Table table{{"units", "test rows", "training rows"}, {}};
  for (const std::size_t units : Demo::table_units)
    table.rows.push_back(
        {std::to_string(units), show_number(demo.test_loss[units - 1]), show_number(demo.training_loss[units - 1])});
  const auto best = std::ranges::min_element(demo.test_loss) - demo.test_loss.begin() + 1;
  return {.id = "loss",
          .caption = fmt::format("Every step lowers the training loss; the test loss is lowest with {} units.", best),
          .chart = std::move(plot),
          .table = std::move(table),
          .group = "trio"};
}

/// Data for demo.js per number of units: the surface and the accuracy.
Json dial_json(const Demo& demo) {
  Json json = Json::array();
  for (std::size_t units = 1; units <= Plane::units; ++units)
    json.push_back({{"field", field_bytes(demo.dial[units - 1])}, {"accuracy", percent(demo.accuracy_with(units))}});
  return json;
}

/// "--learning-rate" of learning_rate.
std::string flag_of(std::string name) {
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

void add_background(Page& page, const Demo& demo) {
  std::string flags = "--preset paper";
  for (const auto& [name, value] : demo.settings) flags += fmt::format(" {} {}", flag_of(name), value);
  page.heading("How it is made");
  page.paragraph(fmt::format(
      "This is the illustrative example of S. Emami and G. Mart\u00ednez-Mu\u00f1oz, Sequential Training of Neural "
      "Networks With Gradient Boosting, IEEE Access 11 (2023). Class 1 is normal around (0, 0) with covariance 4 I, "
      "class 2 around (\u221a2, \u221a2) with covariance I. The densities are known, and so is the best possible "
      "rule. The paper sets {} points and {} units, one per step, and leaves the learning rate open; here it is 0.5, "
      "and every step sees all points. As flags:",
      Plane::training_rows, Plane::units));
  page.markup(fmt::format("<pre>{}</pre>\n", escape(flags)));
  page.heading("What to do next");
  page.paragraph("Train on a CSV file of your own, see the accuracy at each size, and predict with the size you want:");
  page.markup(
      "<pre>accrete train yours.csv --target COLUMN -o yours.safetensors\n"
      "accrete evaluate yours.safetensors held-out.csv --units all\n"
      "accrete predict yours.safetensors new.csv --units 40 -o predictions.csv</pre>\n");
  page.paragraph(
      "No data yet? \u201caccrete data list\u201d names the built-in generators, and \u201caccrete data make "
      "tic-tac-toe "
      "-o ttt.csv\u201d writes a file.");
}

}  // namespace

Page demo_page(const Demo& demo, std::optional<Gnuplot> gnuplot) {
  Page page("One network, a hundred sizes", std::move(gnuplot));
  page.paragraph(
      fmt::format("accrete grew one network of {} hidden units, one unit per step, on {} points of two overlapping "
                  "classes. Each panel uses only the first units of that same network: the dial moves, nothing is "
                  "trained again.",
                  Plane::units, Plane::training_rows));
  page.markup(legend);
  for (std::size_t i = 0; i < Plane::panel_units.size(); ++i) {
    const std::size_t units = Plane::panel_units[i];
    page.figure({fmt::format("panel-{}", units), "accuracy " + percent(demo.accuracy_with(units)),
                 make_field(demo, units, demo.dial[units - 1], false)});
  }
  page.heading("Turn the dial");
  page.markup(dial());
  page.figure({.id = "surface",
               .caption = "The network at the dial's number of units.",
               .chart = make_field(demo, Plane::units, demo.dial.back(), true),
               .group = "trio"});
  page.figure(accuracy_figure(demo));
  page.figure(loss_figure(demo));
  add_background(page, demo);
  page.data("sizes", dial_json(demo));
  page.script(assets::demo_js);
  return page;
}

FieldRow demo_row(const Demo& demo) {
  FieldRow row{
      .scale_label = "p(class 2)",
      .note = fmt::format("accuracy on {} test rows; best possible: {}", Plane::test_rows, percent(demo.bayes))};
  for (std::size_t i = 0; i < Plane::panel_units.size(); ++i) {
    const std::size_t units = Plane::panel_units[i];
    row.fields.push_back(make_field(demo, units, demo.panels[i], true));
    row.captions.push_back("accuracy " + percent(demo.accuracy_with(units)));
  }
  return row;
}

}  // namespace accrete::report
