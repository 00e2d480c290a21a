#pragma once
// What a chart shows, in numbers and words. One specification is drawn twice: by gnuplot (report/gnuplot.hpp) as a
// still picture, and by D3 in the page (report/charts.js), which reads the same fields as JSON.
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

/// Okabe and Ito's colours, which people with any colour vision tell apart; taken in turn. charts.js has the same.
inline constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1c2024"};

/// Viridis from 0 to 1, equally spaced, which is as even in grey. charts.js has the same.
inline constexpr std::array viridis{"#440154", "#481a6c", "#472f7d", "#414487", "#39568c", "#31688e",
                                    "#2a788e", "#23888e", "#1f988b", "#22a884", "#35b779", "#54c568",
                                    "#7ad151", "#a5db36", "#d2e21b", "#fde725"};

enum class Mark { line, points, bars };

/// Points that belong together. NaN is a gap.
struct Series {
  std::string name = {};  ///< in the legend; empty: not listed there
  Mark mark = Mark::line;
  std::vector<double> x = {}, y = {};
  /// Spread, one per point or empty: around y a band behind a line or whiskers through points; around x, whiskers at
  /// the ends of bars over categories.
  std::vector<double> low = {}, high = {};
  std::size_t colour = 0;  ///< of the list above
  double width = 1.0;      ///< of bars, in units of x
  bool faint = false;      ///< what the others are compared with: thin and dashed, or pale bars
};

struct Axis {
  std::string label;
  bool log = false;                           ///< values that are not above 0 are left out
  std::optional<double> low = {}, high = {};  ///< ends; else taken from the values
  std::vector<std::string> categories = {};   ///< of the y axis: bars lie, y = 0, 1, ... counts these from the top
};

/// Series over two axes.
struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
  bool square = false;  ///< both axes have the same unit
};

/// Rows and columns of cells, the number written in each: a confusion matrix, or any table of counts.
struct Grid {
  std::string title;
  std::string row_label = {}, column_label = {};
  std::vector<std::string> rows = {}, columns = {};
  std::vector<std::vector<double>> values = {};  ///< by row; a cell's shade is its share of the sum of its row
};

/// Demšar's diagram: methods along an axis of average ranks, those that do not differ joined by a bar
/// (report/ranks.hpp).
struct Ranks {
  std::string title;
  std::vector<std::string> names = {};
  std::vector<double> ranks = {};  ///< one per name, from 1 (best) to their number
  double critical = 0.0;           ///< ranks so far apart, or further, differ
};

/// Points of one class.
struct Marked {
  std::string name;
  std::vector<double> x = {}, y = {};
};

/// Values from 0 to 1 over a square, and points of two classes on it: a decision boundary.
struct Field {
  std::string title;
  std::string x_label = {}, y_label = {};
  double limit = 1.0;               ///< both axes go from -limit to limit
  std::size_t side = 0;             ///< cells along each
  std::vector<double> values = {};  ///< side x side, the top row first
  std::array<Marked, 2> classes = {};
};

using Chart = std::variant<Plot, Grid, Ranks, Field>;

const std::string& title_of(const Chart& chart);

/// The fields by their names; what is empty is left out, and numbers have five digits.
Json to_json(const Chart& chart);

/// The number with so many digits, which makes JSON short.
double rounded(double value, int digits = 5);
std::vector<double> rounded(std::vector<double> values, int digits = 5);

}  // namespace accrete::report
