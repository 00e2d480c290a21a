#include <gtest/gtest.h>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::boundary_test {
namespace {

TEST(ExperimentBoundary, HasAPanelPerSizeBoostedFirst) {
  Document document{"t"};
  add_boundaries(document, read_experiments({invented_boundary("adam"), invented_boundary("gbnn")}).front());
  const auto figures = figures_of(document);
  ASSERT_EQ(figures.size(), 10u);
  EXPECT_EQ(figures[0].id, "boundary-quick-gbnn-1");
  EXPECT_EQ(figures[9].id, "boundary-quick-adam-100");
  EXPECT_EQ(figures[0].caption, "accuracy 81.25 %");
  const Field& field = std::get<Field>(figures[0].chart);
  EXPECT_EQ(field.values.size(), 400u);
  EXPECT_EQ(field.classes[0].x, (std::vector<double>{0.5}));
  EXPECT_EQ(field.classes[1].y, (std::vector<double>{3.0}));
  EXPECT_EQ(row_of(table_with_id(document, "ringnorm2d-quick"), "GBNN").at(5).text, "81.25");
}

}  // namespace
}  // namespace accrete::report::boundary_test
