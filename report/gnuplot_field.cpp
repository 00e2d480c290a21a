// A surface with points as gnuplot's commands. It becomes one embedded picture, so that an SVG stays small.

#include <fmt/format.h>

#include "report/gnuplot_words.hpp"

namespace accrete::report::gnuplot_words {
namespace {

std::string palette() {
  std::string text = "set palette defined (";
  for (std::size_t i = 0; i < viridis.size(); ++i) text += fmt::format("{}{} '{}'", i ? ", " : "", i, viridis[i]);
  return text + ")\nset cbrange [0:1]\nunset colorbox\n";
}

std::string values_block(const Field& field) {
  std::string text = "$field << EOD\n";
  const double cell = 2.0 * field.limit / static_cast<double>(field.side);
  for (std::size_t i = 0; i < field.values.size(); ++i)
    text += fmt::format("{:.6g} {:.6g} {:.4g}\n", -field.limit + cell * (static_cast<double>(i % field.side) + 0.5),
                        field.limit - cell * (static_cast<double>(i / field.side) + 0.5), field.values[i]);
  return text + "EOD\n";
}

std::string points_block(const Marked& marked, std::size_t number) {
  std::string text = fmt::format("$p{} << EOD\n", number);
  for (std::size_t i = 0; i < marked.x.size(); ++i) text += fmt::format("{:.5g} {:.5g}\n", marked.x[i], marked.y[i]);
  return text + "EOD\n";
}

/// Each in its shape, with a rim of the other's shade, so that both are seen on dark and on light.
std::string points_layers(const Marked& marked, std::size_t number) {
  if (marked.x.empty()) return "";
  const int shape = number == 0 ? 7 : 9;
  const char *inside = number == 0 ? "#ffffff" : "#1c2024", *rim = number == 0 ? "#1c2024" : "#ffffff";
  return fmt::format(
      ", $p{0} using 1:2 with points pt {1} ps 0.5 lc rgb '{2}' notitle, $p{0} using 1:2 with points pt {1} "
      "ps 0.34 lc rgb '{3}' notitle, NaN with points pt {4} ps 0.7 lc rgb '#1c2024' title {5}",
      number, shape, rim, inside, number == 0 ? 6 : 9, in_quotes(marked.name));
}

}  // namespace

std::string field_script(const Field& field, Format format) {
  std::string text = terminal(format, 340, field.title.empty() ? 366 : 390);
  if (!field.title.empty()) text += "set title " + in_quotes(field.title) + "\n";
  text += fmt::format("set xrange [-{0}:{0}]\nset yrange [-{0}:{0}]\nset size ratio 1\n", field.limit);
  text += fmt::format("set xlabel {}\nset ylabel {}\n", in_quotes(field.x_label), in_quotes(field.y_label));
  text +=
      "set border lc rgb '#57606a'\nset tics nomirror out\nset key below center horizontal Left reverse height 1 "
      "samplen 0.5 maxrows 1\n";
  text += palette() + values_block(field);
  std::string layers;
  for (std::size_t c = 0; c < field.classes.size(); ++c) {
    if (!field.classes[c].x.empty()) text += points_block(field.classes[c], c);
    layers += points_layers(field.classes[c], c);
  }
  return text + "plot $field using 1:2:3 with image notitle" + layers + "\n";
}

}  // namespace accrete::report::gnuplot_words
