#include "report/demo/demo.hpp"

#include <gtest/gtest.h>

namespace accrete::report::demo_test {
namespace {

const Demo& demo() {
  static const Demo grown = [] {
    core::Workers workers(2);
    return grow_demo(0, workers);
  }();
  return grown;
}

TEST(Demo, HasOneValuePerNumberOfUnits) {
  constexpr std::size_t units = Demo::Plane::units;
  EXPECT_EQ(demo().accuracy.size(), units);
  EXPECT_EQ(demo().test_loss.size(), units);
  EXPECT_EQ(demo().training_loss.size(), units);
  EXPECT_EQ(demo().dial.size(), units);
  EXPECT_EQ(demo().classes[0].x.size() + demo().classes[1].x.size(), Demo::Plane::training_rows);
}

TEST(Demo, SamplesTheDialFromThePanels) {
  constexpr std::size_t stride = Demo::panel_side / Demo::dial_side;
  for (std::size_t i = 0; i < demo().panels.size(); ++i) {
    const auto& panel = demo().panels[i];
    const auto& coarse = demo().dial[Demo::Plane::panel_units[i] - 1];
    ASSERT_EQ(panel.size(), Demo::panel_side * Demo::panel_side);
    ASSERT_EQ(coarse.size(), Demo::dial_side * Demo::dial_side);
    EXPECT_EQ(coarse[Demo::dial_side + 2], panel[(stride + stride / 2) * Demo::panel_side + 2 * stride + stride / 2]);
  }
}

TEST(Demo, LowersTheTrainingLossBelowTheTestLoss) {
  EXPECT_LT(demo().training_loss.back(), demo().training_loss.front());
  EXPECT_LT(demo().training_loss.back(), demo().test_loss.back());
}

TEST(Demo, ShowsPanelsDialAndCurvesOnThePage) {
  const Page page = demo_page(demo(), std::nullopt);
  std::vector<std::string> ids;
  for (const Figure& figure : page.figures()) ids.push_back(figure.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"panel-1", "panel-2", "panel-3", "panel-4", "panel-100", "surface",
                                           "accuracy", "loss"}));
  const std::string html = page.html();
  for (const char* part : {"--preset paper --units 100 --units-per-step 1", "id=\"dial\"", "id=\"sizes\""})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(Demo, LabelsEveryFieldOfTheRow) {
  const FieldRow row = demo_row(demo());
  ASSERT_EQ(row.fields.size(), 5u);
  ASSERT_EQ(row.captions.size(), 5u);
  EXPECT_EQ(row.fields.front().title, "1 unit");
  EXPECT_EQ(row.fields.back().title, "100 units");
  EXPECT_EQ(row.fields.back().side, Demo::panel_side);
}

}  // namespace
}  // namespace accrete::report::demo_test
