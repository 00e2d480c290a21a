#include "report/gnuplot/gnuplot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "accrete/core/error.hpp"

namespace accrete::report::gnuplot_test {
namespace {

Plot everything() {
  Plot plot{.title = "all", .x = {.label = "x"}, .y = {.label = "y"}};
  plot.series.push_back({.name = "band", .x = {1, 2, 3}, .y = {1, 2, 1}, .low = {0, 1, 0}, .high = {2, 3, 2}});
  plot.series.push_back({.name = "dots", .mark = Mark::points, .x = {1, 2}, .y = {2, NAN}, .colour = 1});
  plot.series.push_back({.name = "bars", .mark = Mark::bars, .x = {1, 2}, .y = {2, 1}, .colour = 2, .faint = true});
  plot.series.push_back({.name = "none", .mark = Mark::points, .x = {}, .y = {}});
  return plot;
}

Plot lying() {
  Plot plot{.title = "lying", .x = {.label = "x"}, .y = {.label = "", .categories = {"first", "second"}}};
  plot.series.push_back({.mark = Mark::bars, .x = {3, -1}, .y = {0, 1}, .low = {2, -2}, .high = {4, 0}});
  plot.series.push_back({.mark = Mark::bars, .x = {5}, .y = {1}, .from = {2}});
  return plot;
}

HeatMap heat_map() {
  return {"grid", "true", "predicted", {"a", "b"}, {"a", "b"}, {{31, 2}, {0, 0}}};
}

class GnuplotTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!gnuplot_) GTEST_SKIP() << "gnuplot is not installed";
  }
  std::optional<Gnuplot> gnuplot_ = Gnuplot::find();
};

TEST_F(GnuplotTest, DrawsEveryKindOfChartInEveryFormat) {
  Plot logarithmic = everything();
  logarithmic.y.log = true;
  for (const Chart& chart : {Chart(everything()), Chart(logarithmic), Chart(lying()), Chart(heat_map())}) {
    SCOPED_TRACE(title_of(chart));
    const std::string svg = gnuplot_->draw(chart, Format::svg), png = gnuplot_->draw(chart, Format::png);
    EXPECT_NE(svg.find("<svg"), std::string::npos);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  }
  const std::string svg = gnuplot_->draw(heat_map(), Format::svg);
  EXPECT_NE(svg.find(">31<"), std::string::npos) << "the counts are written";
}

TEST_F(GnuplotTest, DrawsAnEmptyFrameWithoutData) {
  EXPECT_NE(gnuplot_->draw(Plot{.title = "t", .x = {.label = "x"}, .y = {.label = "y", .log = true}}, Format::svg)
                .find("</svg>"),
            std::string::npos);
}

TEST_F(GnuplotTest, NeverRunsNamesAsCommands) {
  const auto file = std::filesystem::temp_directory_path() / "accrete-gnuplot-ran-a-name";
  std::filesystem::remove(file);
  const std::string touch = "touch " + file.string();
  for (const std::string& name : {"`" + touch + "`", "'; system('" + touch + "') #", "\\'; !" + touch + "\n!" + touch,
                                  "\"; system(\"" + touch + "\")", "@x 'EOD\nEOD\n!" + touch}) {
    Plot plot = lying();
    plot.title = plot.x.label = plot.series[0].name = plot.y.categories[0] = name;
    gnuplot_->draw(plot, Format::svg);
    HeatMap cells = heat_map();
    cells.title = cells.row_label = cells.rows[0] = cells.columns[0] = name;
    gnuplot_->draw(cells, Format::svg);
    gnuplot_->draw(Ranks{name, {name, "b"}, {1.0, 2.0}, 0.5}, Format::svg);
    Field field{.title = name, .x_label = name, .y_label = name, .side = 1, .values = {0.5}};
    field.classes[0] = {name, {0.0}, {0.0}};
    gnuplot_->draw(field, Format::svg);
    EXPECT_FALSE(std::filesystem::exists(file)) << name;
  }
}

TEST_F(GnuplotTest, DrawsNamesInAnyScript) {
  Plot plot = lying();
  plot.y.categories = {"M\u00fcller & <S\u00f6hne>", "\u4e2d\u6587_{x}"};
  const std::string svg = gnuplot_->draw(plot, Format::svg);
  EXPECT_NE(svg.find("M\u00fcller &amp; &lt;S\u00f6hne>"), std::string::npos);
  EXPECT_NE(svg.find("\u4e2d\u6587_{x}"), std::string::npos) << "no mark-up is read into a name";
}

TEST(Gnuplot, IsFoundInThePath) {
  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  ::setenv("PATH", "/nonexistent:", 1);
  EXPECT_FALSE(Gnuplot::find());
  ::setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace accrete::report::gnuplot_test
