#include "cli/demo_figure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/viridis.hpp"

namespace accrete::cli {
namespace {

using Align = Lettering::Align;

constexpr Paint ink{{0x1c, 0x20, 0x24}, "--ink"};
constexpr Paint muted{{0x57, 0x60, 0x6a}, "--muted"};
constexpr double side = 200.0;  ///< of a panel: half the cells of a fine surface, so a cell is a pixel of the PNG

Lettering small(Align align) {
  return {13.0, muted, align, false};
}

/// A tick at every multiple of 4 on both axes; words at the y axis only where asked for.
void draw_axes(Canvas& canvas, const Box& box, double limit, bool y_words) {
  std::vector<Segment> ticks;
  const double bottom = box.y + box.height;
  for (int value = -4; value <= 4; value += 4) {
    const double share = 0.5 + value / (2.0 * limit);
    const double x = box.x + share * box.width, y = bottom - share * box.height;
    const std::string word = value < 0 ? fmt::format("\u2212{}", -value) : fmt::format("{}", value);
    ticks.push_back({{x, bottom}, {x, bottom + 4.0}});
    ticks.push_back({{box.x - 4.0, y}, {box.x, y}});
    canvas.text({x, bottom + 17.0}, word, small(Align::centre));
    if (y_words) canvas.text({box.x - 8.0, y + 4.0}, word, small(Align::right));
  }
  canvas.lines(ticks, {muted, 1.0});
  canvas.frame(box, {muted, 1.0});
  // The axes' names stand midway between two ticks.
  const double half_way = 0.5 + 2.0 / (2.0 * limit);
  canvas.text({box.x + half_way * box.width, bottom + 17.0}, "x\u2081", small(Align::centre));
  if (y_words) canvas.text({box.x - 8.0, bottom - half_way * box.height + 4.0}, "x\u2082", small(Align::right));
}

void draw_surface(Canvas& canvas, const Box& box, const Experiment& experiment, const Surface& surface,
                  const std::vector<Segment>& line) {
  canvas.picture(box, coloured(surface));
  canvas.lines(line, boundary_pen());
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<Point> centres;
    for (const Point& p : experiment.points[c])
      centres.push_back({box.x + box.width * (0.5 + p.x / (2.0 * experiment.limit)),
                         box.y + box.height * (0.5 - p.y / (2.0 * experiment.limit))});
    canvas.markers(centres, class_markers()[c]);
  }
}

void draw_colour_bar(Canvas& canvas, const Box& box) {
  Picture bar{1, 128, {}};
  for (std::size_t i = 0; i < bar.height; ++i)
    bar.pixels.push_back(viridis(1.0 - static_cast<double>(i) / static_cast<double>(bar.height - 1)));
  canvas.picture(box, bar);
  canvas.frame(box, {muted, 1.0});
  std::vector<Segment> ticks;
  for (int i = 0; i <= 4; ++i) {
    const double y = box.y + box.height * (1.0 - i / 4.0), right = box.x + box.width;
    ticks.push_back({{right, y}, {right + 4.0, y}});
    canvas.text({right + 8.0, y + 4.0}, fmt::format("{}", i / 4.0), small(Align::left));
  }
  canvas.lines(ticks, {muted, 1.0});
}

/// What the marks mean, in one line.
void draw_legend(Canvas& canvas, Point at, const Experiment& experiment) {
  const Lettering words{13.0, ink, Align::left, false};
  for (std::size_t c = 0; c < 2; ++c) {
    const Point centre[] = {{at.x, at.y - 4.5}};
    canvas.markers(centre, class_markers()[c]);
    canvas.text({at.x + 10.0, at.y}, fmt::format("class {}, training", c + 1), words);
    at.x += 155.0;
  }
  const Segment sample[] = {{{at.x - 2.0, at.y - 4.5}, {at.x + 20.0, at.y - 4.5}}};
  canvas.lines(sample, {ink, boundary_pen().width});
  canvas.text({at.x + 28.0, at.y}, "decision boundary, probability 0.5", words);
  canvas.text({at.x + 300.0, at.y},
              fmt::format("accuracy on {} fresh rows; the best possible rule has {}", Experiment::test_rows,
                          percent(experiment.bayes)),
              words);
}

}  // namespace

std::array<Marker, 2> class_markers() {
  constexpr Paint white{{0xff, 0xff, 0xff}}, dark{{0x1c, 0x20, 0x24}}, orange{{0xf0, 0x6a, 0x1a}};
  return {{{Marker::Shape::circle, 2.7, white, dark}, {Marker::Shape::triangle, 3.0, orange, dark}}};
}

Pen boundary_pen() {
  return {{{0x00, 0x00, 0x00}}, 2.2};
}

Picture coloured(const Surface& surface) {
  // So many colours are enough for the eye, and flat runs are what PNG stores well.
  constexpr double levels = 64.0;
  Picture picture{surface.side, surface.side, {}};
  picture.pixels.reserve(surface.probability.size());
  for (const float p : surface.probability) picture.pixels.push_back(viridis(std::round(p * levels) / levels));
  return picture;
}

std::vector<Segment> boundary(const Surface& surface, const Box& box) {
  std::vector<Segment> segments;
  const double cell_x = box.width / static_cast<double>(surface.side);
  const double cell_y = box.height / static_cast<double>(surface.side);
  for (std::size_t row = 0; row + 1 < surface.side; ++row)
    for (std::size_t column = 0; column + 1 < surface.side; ++column) {
      // Marching squares: around the four centres; where the sign changes, the line crosses.
      constexpr std::size_t around[5][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}};
      Point crossings[4];
      std::size_t count = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t r = row + around[i][0], c = column + around[i][1];
        const std::size_t next_r = row + around[i + 1][0], next_c = column + around[i + 1][1];
        const double here = surface.at(r, c) - 0.5, there = surface.at(next_r, next_c) - 0.5;
        if ((here > 0.0) == (there > 0.0)) continue;
        const double share = here / (here - there), from_r = static_cast<double>(r), from_c = static_cast<double>(c);
        crossings[count++] = {box.x + cell_x * (from_c + 0.5 + share * (static_cast<double>(next_c) - from_c)),
                              box.y + cell_y * (from_r + 0.5 + share * (static_cast<double>(next_r) - from_r))};
      }
      for (std::size_t i = 0; i + 1 < count; i += 2) segments.push_back({crossings[i], crossings[i + 1]});
    }
  return segments;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100.0 * share);
}

std::string units_title(std::size_t units) {
  return fmt::format("{} unit{}", units, units == 1 ? "" : "s");
}

Box panel_box() {
  return {32.0, 4.0, side, side};
}

Canvas draw_panel(const Experiment& experiment, std::size_t units, const Surface& surface) {
  const Box box = panel_box();
  Canvas canvas(box.x + side + 6.0, box.y + side + 24.0, 2.0,
                fmt::format("Probability of class 2 with {}", units_title(units)));
  draw_surface(canvas, box, experiment, surface, boundary(experiment.surface(units), box));
  draw_axes(canvas, box, experiment.limit, true);
  return canvas;
}

Canvas draw_row(const Experiment& experiment) {
  constexpr double left = 40.0, top = 40.0, gap = 20.0, bar_width = 14.0;
  constexpr double bar = left + Experiment::panel_units.size() * (side + gap);
  Canvas canvas(bar + bar_width + 56.0, top + side + 100.0, 2.0,
                "Probability of class 2 with the first units of one network");
  for (std::size_t i = 0; i < Experiment::panel_units.size(); ++i) {
    const std::size_t units = Experiment::panel_units[i];
    const Box box{left + static_cast<double>(i) * (side + gap), top, side, side};
    const double middle = box.x + side / 2.0;
    canvas.text({middle, top - 14.0}, units_title(units), {16.0, ink, Align::centre, true});
    draw_surface(canvas, box, experiment, experiment.panels[i], boundary(experiment.surface(units), box));
    draw_axes(canvas, box, experiment.limit, i == 0);
    canvas.text({middle, top + side + 41.0}, "accuracy " + percent(experiment.accuracy(units)),
                {14.0, ink, Align::centre, false});
  }
  draw_colour_bar(canvas, {bar, top, bar_width, side});
  canvas.text({bar, top - 14.0}, "p(class 2)", {12.0, muted, Align::left, false});
  draw_legend(canvas, {left + 4.0, top + side + 78.0}, experiment);
  return canvas;
}

}  // namespace accrete::cli
