// A critical difference diagram as a gnuplot script. The plot fills the image; coordinates are points from the top
// left.

#include <fmt/format.h>

#include "report/charts/ranks.hpp"
#include "report/charts/text.hpp"
#include "report/gnuplot/script_parts.hpp"

namespace accrete::report::gnuplot {
namespace {

constexpr double width = 640.0, side = 170.0;  // image width; margin for labels on either side
constexpr double axis_down = 62.0, bar_step = 12.0, name_step = 22.0;
constexpr std::size_t longest_name = 18;

class Sketch {
 public:
  void line(double x0, double y0, double x1, double y1, const char* look) {
    text_ += fmt::format("set arrow from {:.2f},{:.2f} to {:.2f},{:.2f} {}\n", x0, y0, x1, y1, look);
  }
  void words(const std::string& text, double x, double y, const char* place) {
    text_ += fmt::format("set label {} at {:.2f},{:.2f} {} tc rgb '#1c2024'\n", quote(text), x, y, place);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr const char* thin = "nohead lw 1 lc rgb '#57606a'";
constexpr const char* measure = "heads size 4,90 lw 2 lc rgb '#1c2024'";
constexpr const char* thick = "nohead lw 5 lc rgb '#0072b2'";

}  // namespace

std::string ranks_script(const Ranks& ranks, Format format) {
  const RankLayout layout = rank_layout(ranks);
  const auto methods = ranks.names.size();
  const double unit = (width - 2.0 * side) / static_cast<double>(methods > 1 ? methods - 1 : 1);
  const auto x = [&](double rank) { return side + unit * (rank - 1.0); };
  const double names_down = axis_down + 12.0 + bar_step * static_cast<double>(layout.levels + 1);
  const std::size_t names_per_side = (methods + 1) / 2;
  const double height = names_down + name_step * static_cast<double>(names_per_side);
  const double title = ranks.title.empty() ? 0.0 : 26.0;

  Sketch sketch;
  if (!ranks.title.empty()) sketch.words(ranks.title, width / 2.0, 14.0 - title, "center");
  sketch.line(x(1.0), 14.0, x(1.0 + ranks.critical), 14.0, measure);
  sketch.words(fmt::format("critical distance {:.2f}", ranks.critical), x(1.0 + ranks.critical) + 8.0, 14.0, "left");
  sketch.line(x(1.0), axis_down, x(static_cast<double>(methods)), axis_down, thin);
  for (std::size_t rank = 1; rank <= methods; ++rank) {
    const double at = x(static_cast<double>(rank));
    sketch.line(at, axis_down - 5.0, at, axis_down, thin);
    sketch.words(std::to_string(rank), at, axis_down - 14.0, "center");
  }
  for (const RankLeader& leader : layout.leaders) {
    const double at = x(leader.rank), down = names_down + name_step * static_cast<double>(leader.level);
    const double end = leader.left ? side - 10.0 : width - side + 10.0;
    const std::string name = shorten(leader.name, longest_name);
    sketch.line(at, axis_down, at, down, thin);
    sketch.line(at, down, end, down, thin);
    sketch.words(
        leader.left ? fmt::format("{}  {:.2f}", name, leader.rank) : fmt::format("{:.2f}  {}", leader.rank, name),
        leader.left ? end - 5.0 : end + 5.0, down, leader.left ? "right" : "left");
  }
  for (const RankGroup& group : layout.groups) {
    const double down = axis_down + bar_step * static_cast<double>(group.level + 1);
    sketch.line(x(group.low) - 4.0, down, x(group.high) + 4.0, down, thick);
  }
  std::string text = terminal(format, static_cast<std::size_t>(width), static_cast<std::size_t>(height + title));
  return text + sketch.text() +
         fmt::format(
             "set margins 0,0,0,0\nunset border\nunset tics\nunset key\nset xrange [0:{}]\n"
             "set yrange [{}:{}]\nplot NaN notitle\n",
             width, height, -title);
}

}  // namespace accrete::report::gnuplot
