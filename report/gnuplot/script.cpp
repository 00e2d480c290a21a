// Charts as gnuplot scripts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/charts/text.hpp"
#include "report/gnuplot/gnuplot.hpp"
#include "report/gnuplot/script_parts.hpp"

namespace accrete::report {
namespace {

using gnuplot::quote;
using gnuplot::terminal;

constexpr std::size_t longest_name = 24;
constexpr double bar_half = 0.36;  // half a bar's width; categories are 1 apart

std::string range(const Axis& axis) {
  return fmt::format("[{}:{}]", axis.low ? fmt::format("{}", *axis.low) : "*",
                     axis.high ? fmt::format("{}", *axis.high) : "*");
}

std::string axis_commands(const char* name, const Axis& axis) {
  std::string text = fmt::format("set {}label {}\n", name, quote(axis.label));
  if (!axis.categories.empty()) {
    text += fmt::format("set {}range [{}:-0.5]\nset {}tics (", name, static_cast<double>(axis.categories.size()) - 0.5,
                        name);
    for (std::size_t i = 0; i < axis.categories.size(); ++i)
      text += fmt::format("{}{} {}", i ? "," : "", quote(shorten(axis.categories[i], longest_name)), i);
    return text + ")\n";
  }
  if (axis.log) text += fmt::format("set logscale {0}\nset format {0} '%g'\n", name);
  return text + fmt::format("set {}range {}\n", name, range(axis));
}

bool drawn(const Plot& plot, const Series& series, std::size_t i) {
  return std::isfinite(series.x[i]) && std::isfinite(series.y[i]) && !(plot.y.log && series.y[i] <= 0.0) &&
         !(plot.x.log && series.x[i] <= 0.0);
}

bool has_no_point(const Plot& plot, const Series& series) {
  for (std::size_t i = 0; i < series.x.size(); ++i)
    if (drawn(plot, series, i)) return false;
  return true;
}

std::string data_block(const Plot& plot, const Series& series, std::size_t number) {
  std::string text = fmt::format("$s{} << EOD\n", number);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    text += drawn(plot, series, i) ? fmt::format("{:.6g} {:.6g}", series.x[i], series.y[i]) : "NaN NaN";
    if (!series.low.empty()) text += fmt::format(" {:.6g} {:.6g}", series.low[i], series.high[i]);
    if (!series.from.empty()) text += fmt::format(" {:.6g}", series.from[i]);
    text += "\n";
  }
  return text + "EOD\n";
}

std::vector<std::string> bar_layers(const Plot& plot, const Series& series, const std::string& data,
                                    const std::string& look) {
  if (plot.y.categories.empty())
    return {fmt::format("{} using 1:2:({}) with boxes fs solid {} noborder {}", data, series.width,
                        series.faint ? 0.25 : 0.8, look)};
  const char* from = series.from.empty() ? "(0)" : series.low.empty() ? "3" : "5";
  std::vector<std::string> layers{
      fmt::format("{} using 1:2:{}:1:($2-{}):($2+{}) with boxxyerror fs solid 0.8 noborder {}", data, from, bar_half,
                  bar_half, look)};
  if (!series.low.empty())
    layers.push_back(data + " using 1:2:3:4 with xerrorbars ps 0 lw 1.2 lc rgb '#1c2024' notitle");
  return layers;
}

/// If there are many points, those of all series are drawn smaller.
bool has_many_points(const Plot& plot) {
  std::size_t count = 0;
  for (const Series& series : plot.series)
    if (series.mark == Mark::points) count += series.x.size();
  return count > 300;
}

/// The plot elements of a series, back to front.
std::vector<std::string> layers_of(const Plot& plot, const Series& series, std::size_t number) {
  constexpr int shapes[] = {7, 9, 5, 13, 11};
  const std::string data = fmt::format("$s{}", number);
  const std::string colour = fmt::format("lc rgb '{}'", colours[series.colour % colours.size()]);
  const std::string look = colour + (series.name.empty() ? std::string(" notitle") : " title " + quote(series.name));
  if (series.mark == Mark::bars) return bar_layers(plot, series, data, look);
  std::vector<std::string> layers;
  if (series.mark == Mark::line) {
    if (!series.low.empty())
      layers.push_back(data + " using 1:3:4 with filledcurves fs transparent solid 0.2 noborder " + colour +
                       " notitle");
    layers.push_back(fmt::format("{} using 1:2 with lines {} {}", data, series.faint ? "dt 2 lw 1.2" : "lw 2", look));
    return layers;
  }
  if (!series.low.empty()) layers.push_back(data + " using 1:2:3:4 with yerrorbars ps 0 " + colour + " notitle");
  layers.push_back(fmt::format("{} using 1:2 with points pt {} ps {} {}", data,
                               shapes[series.colour % std::size(shapes)], has_many_points(plot) ? 0.35 : 0.7, look));
  return layers;
}

std::string script(const Plot& plot, Format format) {
  const std::size_t lying = plot.y.categories.size();
  std::string text = terminal(format, plot.square ? 520 : 640,
                              plot.square ? 500
                              : lying     ? 110 + plot.y.category_height * lying
                                          : 400);
  if (!plot.title.empty()) text += "set title " + quote(plot.title) + "\n";
  text += "set border 3 lc rgb '#57606a'\nset tics nomirror out\nset grid lt 1 lw 0.5 lc rgb '#dde1e6'\n";
  text += "set style fill solid\n" + axis_commands("x", plot.x) + axis_commands("y", plot.y);
  if (plot.square) text += "set size ratio 1\n";
  const bool named = std::ranges::any_of(plot.series, [](const Series& s) { return !s.name.empty(); });
  text += named ? "set key below center horizontal Left reverse height 1 width 1 spacing 1.1\n" : "unset key\n";
  std::vector<std::string> layers;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (has_no_point(plot, plot.series[i])) continue;
    text += data_block(plot, plot.series[i], i);
    for (auto& layer : layers_of(plot, plot.series[i], i)) layers.push_back(std::move(layer));
  }
  if (layers.empty()) return text + "set xrange [0:1]\nset yrange [0.1:1]\nplot NaN notitle\n";
  return text + fmt::format("plot {}\n", fmt::join(layers, ", "));
}

std::string tics(const char* name, const std::vector<std::string>& labels) {
  std::string text = fmt::format("set {}tics (", name);
  for (std::size_t i = 0; i < labels.size(); ++i)
    text += fmt::format("{}{} {}", i ? "," : "", quote(shorten(labels[i], 16)), i);
  return text + ")\n";
}

std::string cells(const HeatMap& map) {
  std::string text = "$cells << EOD\n";
  for (std::size_t r = 0; r < map.values.size(); ++r) {
    double sum = 0.0;
    for (const double value : map.values[r]) sum += value;
    for (std::size_t c = 0; c < map.values[r].size(); ++c) {
      const double value = map.values[r][c], share = sum > 0.0 ? value / sum : 0.0;
      // Zeros would clutter a large map.
      const std::string words = value == 0.0 && map.columns.size() > 6 ? "" : fmt::format("{:.6g}", value);
      text += fmt::format("{} {} {:.4g} \"{}\" {}\n", c, r, share, words, share > 0.5 ? 0xffffff : 0x1c2024);
    }
  }
  return text + "EOD\n";
}

std::string script(const HeatMap& map, Format format) {
  const std::size_t n = std::max<std::size_t>(1, map.columns.size());
  const std::size_t cell = std::clamp<std::size_t>(480 / n, 34, 72);
  std::string text = terminal(format, 190 + cell * n, 150 + cell * map.rows.size());
  if (!map.title.empty()) text += "set title " + quote(map.title) + "\n";
  const bool turned = std::ranges::any_of(map.columns, [](const std::string& name) { return name.size() > 3; });
  text += tics("x", map.columns) + tics("y", map.rows);
  text +=
      fmt::format("set xtics nomirror scale 0 {}\nset ytics nomirror scale 0\n", turned ? "rotate by 45 right" : "");
  text += fmt::format("set xlabel {}\nset ylabel {}\n", quote(map.column_label), quote(map.row_label));
  text += fmt::format("set xrange [-0.5:{}]\nset yrange [{}:-0.5]\nset size ratio {}\n", static_cast<double>(n) - 0.5,
                      static_cast<double>(map.rows.size()) - 0.5,
                      static_cast<double>(map.rows.size()) / static_cast<double>(n));
  text += "unset key\nunset colorbox\nset border lc rgb '#57606a'\nset cbrange [0:1]\n";
  text += "set palette defined (0 '#ffffff', 1 '#08457e')\n" + cells(map);
  return text + fmt::format(
                    "plot $cells using 1:2:3 with image pixels, "
                    "$cells using 1:2:4:5 with labels font 'DejaVu Sans,{}' tc rgb variable\n",
                    cell < 40 ? 9 : 12);
}

std::string script(const Ranks& ranks, Format format) {
  return gnuplot::ranks_script(ranks, format);
}

std::string script(const Field& field, Format format) {
  return gnuplot::field_script(field, format);
}

}  // namespace

std::string gnuplot_script(const Chart& chart, Format format) {
  return std::visit([&](const auto& c) { return script(c, format); }, chart);
}

std::string gnuplot_script(const FieldRow& row, Format format) {
  return gnuplot::field_row_script(row, format);
}

}  // namespace accrete::report
