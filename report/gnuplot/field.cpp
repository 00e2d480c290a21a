// Fields as gnuplot scripts. A surface becomes one embedded image, which keeps an SVG small.

#include <fmt/format.h>

#include "report/gnuplot/script_parts.hpp"

namespace accrete::report::gnuplot {
namespace {

constexpr const char* ink = "#1c2024";

std::string palette() {
  std::string text = "set palette defined (";
  for (std::size_t i = 0; i < viridis.size(); ++i) text += fmt::format("{}{} '{}'", i ? ", " : "", i, viridis[i]);
  return text + ")\nset cbrange [0:1]\nunset colorbox\n";
}

/// Separates the rows of cells by blank lines, which gnuplot needs to find contours.
std::string values_block(const Field& field) {
  std::string text = "$field << EOD\n";
  const double cell = 2.0 * field.limit / static_cast<double>(field.side);
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    const std::size_t row = i / field.side, column = i % field.side;
    if (row > 0 && column == 0) text += "\n";
    text += fmt::format("{:.6g} {:.6g} {:.4g}\n", -field.limit + cell * (static_cast<double>(column) + 0.5),
                        field.limit - cell * (static_cast<double>(row) + 0.5), field.values[i]);
  }
  return text + "EOD\n";
}

/// Defines $boundary: the line where the values are one half.
constexpr const char* boundary_block =
    "set contour base\nset cntrparam levels discrete 0.5\nunset surface\nset table $boundary\n"
    "splot $field using 1:2:3 with lines notitle\nunset table\nunset contour\nset surface\n";

std::string points_block(const ClassPoints& marked, std::size_t number) {
  std::string text = fmt::format("$p{} << EOD\n", number);
  for (std::size_t i = 0; i < marked.x.size(); ++i) text += fmt::format("{:.5g} {:.5g}\n", marked.x[i], marked.y[i]);
  return text + "EOD\n";
}

/// gnuplot's symbol numbers for a class (filled and open), and its fill colour.
struct Symbol {
  int filled, open;
  const char* fill;
};
constexpr Symbol symbols[] = {{7, 6, "#ffffff"}, {9, 8, colours[1]}};

/// Draws outlines over all fills, so that overlapping points remain distinguishable.
std::string points_layers(std::size_t number) {
  const Symbol& symbol = symbols[number];
  return fmt::format(
      ", $p{0} using 1:2 with points pt {1} ps 0.75 lc rgb '{2}' notitle, "
      "$p{0} using 1:2 with points pt {3} ps 0.75 lw 0.5 lc rgb '{4}' notitle",
      number, symbol.filled, symbol.fill, symbol.open, ink);
}

/// The legend entry; on paper only the outline of a white symbol is visible.
std::string legend_entry(const std::string& name, std::size_t number, double size) {
  const Symbol& symbol = symbols[number];
  return fmt::format("NaN with points pt {} ps {} lc rgb '{}' title {}", number == 0 ? symbol.open : symbol.filled,
                     size, number == 0 ? ink : symbol.fill, quote(name));
}

/// Ranges, axes and data of a field.
std::string field_commands(const Field& field) {
  std::string text = fmt::format("set xrange [-{0}:{0}]\nset yrange [-{0}:{0}]\n", field.limit);
  text += fmt::format("set xlabel {}\nset ylabel {}\n", quote(field.x_label), quote(field.y_label));
  // The table with the boundary is written in the format of the axes.
  text += values_block(field) + "set format x '%g'\nset format y '%g'\n" + boundary_block;
  for (std::size_t c = 0; c < field.classes.size(); ++c)
    if (!field.classes[c].x.empty()) text += points_block(field.classes[c], c);
  return text;
}

std::string plot_command(const Field& field, double boundary_width) {
  std::string text = fmt::format(
      "plot $field using 1:2:3 with image notitle, $boundary using 1:2 with lines lw {} lc rgb '#000000' notitle",
      boundary_width);
  for (std::size_t c = 0; c < field.classes.size(); ++c)
    if (!field.classes[c].x.empty()) text += points_layers(c);
  return text;
}

constexpr const char* frame = "set border lc rgb '#57606a'\nset tics nomirror out\n";

/// Sizes of a row in points.
constexpr double panel = 200.0, gap = 20.0, left = 46.0, right = 86.0, top = 36.0, bottom = 104.0;
constexpr double row_height = top + panel + bottom;

/// A position in gnuplot's screen coordinates: fractions of width and height from the bottom left.
std::string at_screen(double x, double down, double row_width) {
  return fmt::format("screen {:.5f},screen {:.5f}", x / row_width, 1.0 - down / row_height);
}

std::string panel_margins(double x, double row_width) {
  return fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}\n",
      x / row_width, (x + panel) / row_width, 1.0 - top / row_height, bottom / row_height);
}

std::string colour_scale(const FieldRow& row, double row_width) {
  const double x = row_width - right + gap;
  return fmt::format(
      "set colorbox user origin {} size screen {:.5f},screen {:.5f}\nset cbtics 0.25 scale 0.5\n"
      "set label 2 {} at {} center\n",
      at_screen(x, top + panel, row_width), 12.0 / row_width, panel / row_height, quote(row.scale_label),
      at_screen(x + 14.0, top - 14.0, row_width));
}

/// One line below all panels, drawn with the last panel.
std::string row_legend(const FieldRow& row, double row_width) {
  constexpr double down = row_height - 18.0;
  constexpr double places[] = {left + 8.0, left + 98.0, left + 188.0, left + 510.0};
  std::string text;
  for (std::size_t c = 0; c < 2; ++c) {
    const Symbol& symbol = symbols[c];
    text += fmt::format("set label {} '' at {} point pt {} ps 0.9 lc rgb '{}'\n", 3 + c,
                        at_screen(places[c], down, row_width), c == 0 ? symbol.open : symbol.filled,
                        c == 0 ? ink : symbol.fill);
    text += fmt::format("set label {} {} at {} left\n", 5 + c, quote(row.fields.front().classes[c].name),
                        at_screen(places[c] + 12.0, down, row_width));
  }
  text += fmt::format("set arrow 1 from {} to {} nohead lw 2 lc rgb '#000000'\n", at_screen(places[2], down, row_width),
                      at_screen(places[2] + 26.0, down, row_width));
  text += fmt::format("set label 7 'decision boundary (probability 0.5)' at {} left\n",
                      at_screen(places[2] + 34.0, down, row_width));
  return text + fmt::format("set label 8 {} at {} left\n", quote(row.note), at_screen(places[3], down, row_width));
}

}  // namespace

std::string field_script(const Field& field, Format format) {
  std::string text = terminal(format, 340, field.title.empty() ? 366 : 390);
  if (!field.title.empty()) text += "set title " + quote(field.title) + "\n";
  text += "set size ratio 1\n";
  text += frame;
  text += "set key below center horizontal Left reverse height 1 samplen 0.5 maxrows 1\n" + palette();
  text += field_commands(field) + plot_command(field, 1.5);
  for (std::size_t c = 0; c < field.classes.size(); ++c)
    if (const ClassPoints& marked = field.classes[c]; !marked.name.empty() && !marked.x.empty())
      text += ", " + legend_entry(marked.name, c, 0.7);
  return text + "\n";
}

std::string field_row_script(const FieldRow& row, Format format) {
  const double count = static_cast<double>(row.fields.size());
  const double width = left + count * panel + (count - 1.0) * gap + right;
  std::string text = terminal(format, static_cast<std::size_t>(width), static_cast<std::size_t>(row_height));
  text += "set multiplot\n" + palette() + frame + "unset key\nset xtics 4\nset ytics 4\n";
  for (std::size_t i = 0; i < row.fields.size(); ++i) {
    const Field& field = row.fields[i];
    text += panel_margins(left + static_cast<double>(i) * (panel + gap), width) + field_commands(field);
    text += fmt::format("set title {} font 'DejaVu Sans Bold,13' offset 0,-0.4\nset xlabel offset 0,0.7\n",
                        quote(field.title));
    text += fmt::format("set label 1 {} at graph 0.5,-0.29 center\n", quote(row.captions[i]));
    text += i == 0 ? "set ylabel offset 1,0\n" : "unset ylabel\nset format y ''\n";
    if (i + 1 == row.fields.size()) text += colour_scale(row, width) + row_legend(row, width);
    text += plot_command(field, 2.0) + "\n";
  }
  return text + "unset multiplot\n";
}

}  // namespace accrete::report::gnuplot
