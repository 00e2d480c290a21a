#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "report/gnuplot/gnuplot.hpp"

namespace accrete::report::field_test {
namespace {

/// Irregular values and many points give the largest pictures.
Field field(std::size_t side, std::size_t points) {
  Field field{.title = "field", .x_label = "x1", .y_label = "x2", .limit = 5.0, .side = side};
  for (std::size_t i = 0; i < side * side; ++i)
    field.values.push_back(std::round(50.0 + 50.0 * std::sin(static_cast<double>(i * i % 997))) / 100.0);
  field.classes = {{{"first"}, {"second"}}};
  for (std::size_t i = 0; i < points; ++i) {
    field.classes[i % 2].x.push_back(5.0 * std::sin(static_cast<double>(i)));
    field.classes[i % 2].y.push_back(5.0 * std::cos(static_cast<double>(3 * i)));
  }
  return field;
}

TEST(GnuplotField, PlacesTheFirstValueTopLeft) {
  Field two = field(2, 0);
  two.values = {0.1, 0.2, 0.3, 0.4};
  const std::string script = gnuplot_script(two, Format::svg);
  EXPECT_NE(script.find("\n-2.5 2.5 0.1\n2.5 2.5 0.2\n\n-2.5 -2.5 0.3\n2.5 -2.5 0.4\n"), std::string::npos) << script;
}

TEST(GnuplotField, EmbedsTheSurfaceAsASmallPicture) {
  const auto gnuplot = Gnuplot::find();
  if (!gnuplot) GTEST_SKIP() << "gnuplot is not installed";
  const auto files = [] {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(".")) ++count;
    return count;
  };
  const std::size_t before = files();
  const std::string svg = gnuplot->draw(field(80, 400), Format::svg);
  EXPECT_NE(svg.find("data:image/png;base64,"), std::string::npos);
  EXPECT_LT(svg.size(), 200'000u);
  EXPECT_EQ(gnuplot->draw(field(80, 400), Format::png).substr(1, 3), "PNG");
  EXPECT_EQ(files(), before) << "gnuplot wrote a separate picture file";
}

TEST(GnuplotField, DrawsTheSurfaceWithoutPoints) {
  const auto gnuplot = Gnuplot::find();
  if (!gnuplot) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_NE(gnuplot->draw(field(10, 0), Format::svg).find("<image"), std::string::npos);
}

TEST(GnuplotField, DrawsTheBoundaryWhereThereIsOne) {
  const auto gnuplot = Gnuplot::find();
  if (!gnuplot) GTEST_SKIP() << "gnuplot is not installed";
  Field plain = field(2, 0), split = plain;
  plain.values = {0.1, 0.1, 0.2, 0.2};
  split.values = {0.1, 0.1, 0.9, 0.9};
  const std::string without = gnuplot->draw(plain, Format::svg), with = gnuplot->draw(split, Format::svg);
  const auto lines = [](const std::string& svg) {
    std::size_t count = 0;
    for (std::size_t at = svg.find("<path"); at != std::string::npos; at = svg.find("<path", at + 1)) ++count;
    return count;
  };
  EXPECT_GT(lines(with), lines(without));
}

TEST(GnuplotField, DrawsARowInEveryFormat) {
  const auto gnuplot = Gnuplot::find();
  if (!gnuplot) GTEST_SKIP() << "gnuplot is not installed";
  FieldRow row{
      .fields = std::vector<Field>(5, field(20, 50)), .captions = {"left", "2", "3", "4", "right"}, .note = "a note"};
  row.fields[1].title = "it's here";
  const std::string svg = gnuplot->draw(row, Format::svg);
  for (const char* text : {"left", "right", "first", "second", "a note", "it\u2019s here"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(gnuplot->draw(row, Format::png).substr(1, 3), "PNG");
}

}  // namespace
}  // namespace accrete::report::field_test
