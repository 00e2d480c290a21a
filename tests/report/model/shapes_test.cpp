#include "report/model/shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/model/model_report.hpp"
#include "tests/report/model/fitted.hpp"

namespace accrete::report::shapes_test {
namespace {

model::Model fit(const std::string& kind, const data::Table& table, bool additive) {
  config::Config config{.units = 120, .learning_rate = 0.3, .bins = 8};
  if (additive) config.interactions = config::Interactions{.additive = true};
  return boosting::fit(table, boosting::mixed_options(kind, config)).model;
}

const ColumnShape& shape_of(const std::vector<ColumnShape>& shapes, const std::string& column) {
  return *std::ranges::find(shapes, column, &ColumnShape::column);
}

TEST(Shapes, AddUpToThePredictionsOfAnAdditiveModel) {
  const data::Table table = boosting::mixed_table("number", 300);
  const model::Model model = fit("number", table, true);
  core::Workers workers(1);
  const auto shapes = column_shapes(Fitted::label(model, table), workers);
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(shapes, std::greater{}, &ColumnShape::deviation));
  const auto predictions = model::predict(model, table, model.network.steps(), workers);
  double mean = 0.0;
  for (const double p : predictions.flat()) mean += p / 300.0;
  std::size_t compared = 0;
  for (std::size_t r = 0; r < 300; ++r) {
    const float a = table.columns[0].numbers[r], b = table.columns[1].numbers[r];
    const std::int32_t colour = table.columns[2].codes[r];
    if (std::isnan(b) || colour < 0) continue;
    const auto at = [&](const std::string& column, float x) {
      const ColumnShape& shape = shape_of(shapes, column);
      return shape.effect[static_cast<std::size_t>(std::ranges::find(shape.x, x) - shape.x.begin())];
    };
    const ColumnShape& colours = shape_of(shapes, "colour");
    const auto& name = table.columns[2].levels[static_cast<std::size_t>(colour)];
    const double level =
        colours.effect[static_cast<std::size_t>(std::ranges::find(colours.levels, name) - colours.levels.begin())];
    EXPECT_NEAR(mean + at("a", a) + at("b", b) + level, predictions(r, 0), 1e-4);
    ++compared;
  }
  EXPECT_GT(compared, 150u);
}

TEST(Shapes, AreOfAdditiveModelsWithOneOutputOnly) {
  core::Workers workers(1);
  for (const char* kind : {"number", "binary", "three"})
    for (const bool additive : {true, false}) {
      const data::Table table = boosting::mixed_table(kind, 200);
      const model::Model model = fit(kind, table, additive);
      const std::size_t expected = additive && std::string_view(kind) != "three" ? 3 : 0;
      EXPECT_EQ(column_shapes(Fitted::label(model, table), workers).size(), expected) << kind;
    }
}

TEST(Shapes, AreLinesOfNumbersAndBarsOfLevels) {
  const data::Table table = boosting::mixed_table("binary", 200);
  const model::Model model = fit("binary", table, true);
  core::Workers workers(1);
  const auto data = Fitted::label(model, table);
  const auto shapes = column_shapes(data, workers);
  const auto plot_of = [&](const std::string& column) {
    return std::get<Plot>(shape_figure(model, shape_of(shapes, column), 0).chart);
  };
  EXPECT_EQ(plot_of("a").series[0].mark, Mark::line);
  EXPECT_TRUE(std::ranges::is_sorted(plot_of("a").series[0].x));
  EXPECT_EQ(plot_of("a").y.label, "effect on log odds of \u201c" + model.classes[1] + "\u201d");
  EXPECT_EQ(plot_of("colour").series[0].mark, Mark::bars);
  EXPECT_EQ(plot_of("colour").y.categories.size(), 3u);
  const ModelReport report{.title = "a model",
                           .facts = {},
                           .measures = measure(data, 0, {}, workers),
                           .importances = importances(data, {}, workers),
                           .contributions = column_contributions(data, 0, workers),
                           .shapes = shapes};
  const Page page = model_page(data, report, std::nullopt);
  EXPECT_EQ(std::ranges::count_if(page.figures(), [](const Figure& f) { return f.id.starts_with("shape-"); }), 3);
}

}  // namespace
}  // namespace accrete::report::shapes_test
