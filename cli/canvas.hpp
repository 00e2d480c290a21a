#pragma once
// A drawing that comes out twice: as PNG bytes for a file, and as SVG text for a page.
//
// Life: made with a size -> drawn on, later calls over earlier ones -> png() and svg(), any number of times.
// Lengths are in drawing units, y goes down. In SVG the text stays text and pictures stay raster.

#include <cairo.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace accrete::cli {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

std::string css(Rgb colour);  ///< "#21918c"

/// A colour which, in SVG, the page may replace by setting the CSS variable: that is how a dark page stays legible.
struct Paint {
  Rgb colour;
  const char* variable = nullptr;
};

struct Point {
  double x = 0.0, y = 0.0;
};
struct Segment {
  Point from, to;
};
struct Box {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
};

/// Raster: row 0 is at the top.
struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<Rgb> pixels;
};

struct Pen {
  Paint paint;
  double width = 1.0;
  bool dashed = false;
};
struct Lettering {
  enum class Align { left, centre, right };

  double size = 12.0;
  Paint paint;
  Align align = Align::centre;
  bool bold = false;
};
struct Marker {
  enum class Shape { circle, triangle };

  Shape shape = Shape::circle;
  double radius = 3.0;
  Paint fill, edge;
};

class Canvas {
 public:
  /// scale: pixels of the PNG per drawing unit. label: what the drawing is, for those who cannot see it.
  Canvas(double width, double height, double scale, const std::string& label);

  void picture(const Box& box, const Picture& picture);
  void lines(std::span<const Segment> segments, const Pen& pen);
  void chain(std::span<const Point> points, const Pen& pen);  ///< one line through the points
  void frame(const Box& box, const Pen& pen);
  void markers(std::span<const Point> centres, const Marker& marker);
  void text(Point baseline, const std::string& words, const Lettering& lettering);

  std::string png() const;  ///< on white
  std::string svg() const;  ///< on nothing

 private:
  struct Release {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };

  void stroke(const Pen& pen, const std::string& data);

  std::unique_ptr<cairo_surface_t, Release> surface_;
  std::unique_ptr<cairo_t, Release> context_;
  std::string svg_;
};

/// The segments as the d of an SVG path, to a tenth of a unit.
std::string path_data(std::span<const Segment> segments);

/// "data:image/png;base64,..."
std::string png_uri(const Picture& picture);

/// The text with <, >, & and " made safe for HTML and SVG.
std::string escaped(const std::string& text);

}  // namespace accrete::cli
