#include "cli/canvas.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "cli/png.hpp"

namespace accrete::cli {
namespace {

constexpr double marker_edge = 0.8;

/// To a tenth of a unit, without a needless ".0": a page holds very many of these.
std::string brief(double value) {
  return fmt::format("{}", std::round(value * 10.0) / 10.0 + 0.0);
}

std::string css(const Paint& paint) {
  return paint.variable ? fmt::format("var({},{})", paint.variable, css(paint.colour)) : css(paint.colour);
}

void set_source(cairo_t* context, const Paint& paint) {
  cairo_set_source_rgb(context, paint.colour.red / 255.0, paint.colour.green / 255.0, paint.colour.blue / 255.0);
}

/// The corners of a triangle that looks as large as a circle of that radius.
std::array<Point, 3> triangle(Point centre, double radius) {
  const double reach = 1.25 * radius, half = 1.1 * radius;
  return {{{centre.x, centre.y - reach},
           {centre.x + half, centre.y + 0.75 * radius},
           {centre.x - half, centre.y + 0.75 * radius}}};
}

}  // namespace

std::string css(Rgb colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::string path_data(std::span<const Segment> segments) {
  std::string data;
  for (const auto& [from, to] : segments)
    data += fmt::format("M{} {}L{} {}", brief(from.x), brief(from.y), brief(to.x), brief(to.y));
  return data;
}

Canvas::Canvas(double width, double height, double scale, const std::string& label)
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                          static_cast<int>(std::lround(height * scale)))),
      context_(cairo_create(surface_.get())),
      svg_(fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" font-family=\"inherit\">\n",
                       brief(width), brief(height), escaped(label))) {
  cairo_t* c = context_.get();
  cairo_set_source_rgb(c, 1.0, 1.0, 1.0);
  cairo_paint(c);
  cairo_scale(c, scale, scale);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
}

void Canvas::picture(const Box& box, const Picture& picture) {
  cairo_t* c = context_.get();
  const std::unique_ptr<cairo_surface_t, Release> source(surface_of(picture));
  cairo_save(c);
  cairo_translate(c, box.x, box.y);
  cairo_scale(c, box.width / static_cast<double>(picture.width), box.height / static_cast<double>(picture.height));
  cairo_set_source_surface(c, source.get(), 0.0, 0.0);
  cairo_pattern_set_extend(cairo_get_source(c), CAIRO_EXTEND_PAD);  // else the rim fades into the background
  cairo_rectangle(c, 0.0, 0.0, static_cast<double>(picture.width), static_cast<double>(picture.height));
  cairo_fill(c);
  cairo_restore(c);
  svg_ +=
      fmt::format("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" href=\"{}\"/>\n",
                  brief(box.x), brief(box.y), brief(box.width), brief(box.height), png_uri(picture));
}

void Canvas::lines(std::span<const Segment> segments, const Pen& pen) {
  for (const auto& [from, to] : segments) {
    cairo_move_to(context_.get(), from.x, from.y);
    cairo_line_to(context_.get(), to.x, to.y);
  }
  stroke(pen, path_data(segments));
}

void Canvas::chain(std::span<const Point> points, const Pen& pen) {
  std::string data;
  for (const Point& p : points) {
    cairo_line_to(context_.get(), p.x, p.y);
    data += fmt::format("{}{} {}", data.empty() ? 'M' : 'L', brief(p.x), brief(p.y));
  }
  stroke(pen, data);
}

void Canvas::frame(const Box& box, const Pen& pen) {
  const double right = box.x + box.width, bottom = box.y + box.height;
  const Point corners[] = {{box.x, box.y}, {right, box.y}, {right, bottom}, {box.x, bottom}, {box.x, box.y}};
  chain(corners, pen);
}

void Canvas::stroke(const Pen& pen, const std::string& data) {
  cairo_t* c = context_.get();
  const double dashes[] = {6.0, 4.0};
  cairo_set_dash(c, dashes, pen.dashed ? 2 : 0, 0.0);
  cairo_set_line_cap(c, pen.dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width(c, pen.width);
  set_source(c, pen.paint);
  cairo_stroke(c);
  svg_ += fmt::format(
      "<path d=\"{}\" style=\"fill:none;stroke:{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>\n", data,
      css(pen.paint), brief(pen.width), pen.dashed ? " stroke-dasharray=\"6 4\"" : " stroke-linecap=\"round\"");
}

void Canvas::markers(std::span<const Point> centres, const Marker& marker) {
  cairo_t* c = context_.get();
  const double r = marker.radius;
  std::string data;
  for (const Point& p : centres) {
    cairo_new_sub_path(c);
    if (marker.shape == Marker::Shape::circle) {
      cairo_arc(c, p.x, p.y, r, 0.0, 2.0 * std::numbers::pi);
      data += fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0z", brief(p.x - r), brief(p.y), brief(r),
                          brief(2.0 * r));
    } else {
      const auto [top, right, left] = triangle(p, r);
      for (const Point& corner : {top, right, left}) cairo_line_to(c, corner.x, corner.y);
      data += fmt::format("M{} {}L{} {}L{} {}z", brief(top.x), brief(top.y), brief(right.x), brief(right.y),
                          brief(left.x), brief(left.y));
    }
    cairo_close_path(c);
    // One at a time, so that of two markers that overlap both keep their edges.
    set_source(c, marker.fill);
    cairo_fill_preserve(c);
    set_source(c, marker.edge);
    cairo_set_dash(c, nullptr, 0, 0.0);
    cairo_set_line_width(c, marker_edge);
    cairo_stroke(c);
  }
  svg_ += fmt::format("<path d=\"{}\" style=\"fill:{};stroke:{}\" stroke-width=\"{}\"/>\n", data, css(marker.fill),
                      css(marker.edge), marker_edge);
}

void Canvas::text(Point baseline, const std::string& words, const Lettering& lettering) {
  cairo_t* c = context_.get();
  cairo_select_font_face(c, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         lettering.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c, lettering.size);
  cairo_text_extents_t extents;
  cairo_text_extents(c, words.c_str(), &extents);
  const auto align = static_cast<int>(lettering.align);
  set_source(c, lettering.paint);
  cairo_move_to(c, baseline.x - 0.5 * align * extents.x_advance, baseline.y);
  cairo_show_text(c, words.c_str());
  static constexpr const char* anchors[] = {"start", "middle", "end"};
  svg_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{} style=\"fill:{}\">{}</text>\n",
                      brief(baseline.x), brief(baseline.y), brief(lettering.size), anchors[align],
                      lettering.bold ? " font-weight=\"600\"" : "", css(lettering.paint), escaped(words));
}

std::string Canvas::png() const {
  cairo_surface_flush(surface_.get());
  return png_bytes(surface_.get());
}

std::string Canvas::svg() const {
  return svg_ + "</svg>\n";
}

}  // namespace accrete::cli
