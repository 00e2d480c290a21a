#pragma once
// Chart specifications. Each is drawn twice: by gnuplot as a static figure (report/gnuplot/gnuplot.hpp), and by D3 in a
// page (report/assets/charts.js), which reads the same fields from JSON.
//
//   Plot curve{.title = "Accuracy", .x = {.label = "units"}, .y = {.label = "accuracy"}};
//   curve.series.push_back({.name = "test rows", .x = units, .y = accuracy});

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace accrete::report {

using Json = nlohmann::ordered_json;

/// The Okabe-Ito palette, which is safe for colour-blind readers. charts.js has the same.
inline constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1c2024"};

/// Viridis from 0 to 1, equally spaced. field.js has the same.
inline constexpr std::array viridis{"#440154", "#481a6c", "#472f7d", "#414487", "#39568c", "#31688e",
                                    "#2a788e", "#23888e", "#1f988b", "#22a884", "#35b779", "#54c568",
                                    "#7ad151", "#a5db36", "#d2e21b", "#fde725"};

enum class Mark { line, points, bars };

/// One line, set of points or set of bars. NaN leaves a gap.
struct Series {
  std::string name = {};  ///< legend entry; empty: none
  Mark mark = Mark::line;
  std::vector<double> x = {}, y = {};
  /// Error interval, one per point or empty: a band around a line, whiskers at points, or whiskers along x at
  /// horizontal bars.
  std::vector<double> low = {}, high = {};
  std::vector<double> from = {};  ///< horizontal bars: start of each bar; empty: 0
  std::size_t colour = 0;         ///< index in `colours`
  double width = 1.0;             ///< of bars, in units of x
  bool faint = false;             ///< a reference line or bar: thin and dashed, or pale
};

struct Axis {
  std::string label;
  bool log = false;                           ///< values of at most 0 are not drawn
  std::optional<double> low = {}, high = {};  ///< limits; default: from the values
  std::vector<std::string> categories = {};   ///< y axis only: bars are horizontal, y = 0, 1, ... from the top
  std::size_t category_height = 22;           ///< pixels
};

/// Series over two axes.
struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
  bool square = false;  ///< both axes have the same scale
};

/// A heat map with the number in each cell, such as a confusion matrix.
struct HeatMap {
  std::string title;
  std::string row_label = {}, column_label = {};
  std::vector<std::string> rows = {}, columns = {};
  std::vector<std::vector<double>> values = {};  ///< by row; a cell is shaded by its share of the row's sum
};

/// Critical difference diagram (Demšar, 2006): methods on an axis of average ranks; a bar connects those that do not
/// differ significantly. Laid out by report/charts/ranks.hpp.
struct Ranks {
  std::string title;
  std::vector<std::string> names = {};
  std::vector<double> ranks = {};  ///< one per name, from 1 (best) to their number
  double critical = 0.0;           ///< ranks at least this far apart differ significantly
};

/// Points of one class.
struct ClassPoints {
  std::string name;  ///< legend entry; empty: none
  std::vector<double> x = {}, y = {};
};

/// Probabilities over a square, the contour line at one half, and points of two classes.
struct Field {
  std::string title;
  std::string x_label = {}, y_label = {};
  double limit = 1.0;               ///< both axes go from -limit to limit
  std::size_t side = 0;             ///< cells along each axis
  std::vector<double> values = {};  ///< side x side, top row first
  std::array<ClassPoints, 2> classes = {};
};

using Chart = std::variant<Plot, HeatMap, Ranks, Field>;

/// Fields side by side with one colour scale and one legend. Only gnuplot draws it; a page shows the fields.
struct FieldRow {
  std::vector<Field> fields = {};
  std::vector<std::string> captions = {};  ///< one below each field
  std::string scale_label = {};            ///< over the colour scale
  std::string note = {};                   ///< after the legend
};

const std::string& title_of(const Chart& chart);

/// The members by name, without empty ones; numbers have five digits.
Json to_json(const Chart& chart);

/// A field's values as bytes in base64: a tenth of the size of numbers.
std::string field_bytes(const std::vector<double>& values);

/// Rounded to that many digits, which keeps JSON short.
double round_digits(double value, int digits = 5);
std::vector<double> round_digits(std::vector<double> values, int digits = 5);

}  // namespace accrete::report
