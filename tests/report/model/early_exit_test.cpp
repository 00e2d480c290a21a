#include "report/model/early_exit.hpp"

#include <gtest/gtest.h>

#include "accrete/boosting/dial.hpp"
#include "report/model/model_report.hpp"
#include "tests/report/model/fitted.hpp"

namespace accrete::report::early_exit_test {
namespace {

TEST(ReportEarlyExit, TradesUnitsForDisagreement) {
  core::Workers workers(1);
  for (const char* kind : {"binary", "three", "number"}) {
    Fitted fitted(kind, 1'000);
    EXPECT_TRUE(measure_exits(fitted.data, workers).empty());
    fitted.model.early_exit =
        boosting::find_exits(fitted.model, fitted.table, {.disagreement = 0.02, .confidence = 0.9}, workers);
    const auto exits = measure_exits(fitted.data, workers);
    ASSERT_EQ(exits.size(), 8u);
    EXPECT_EQ(exits[0].factor, 0.0);
    EXPECT_EQ(exits[0].mean_units, 20.0);
    EXPECT_EQ(exits[0].disagreement, 0.0);
    for (std::size_t i = 1; i < exits.size(); ++i) EXPECT_LE(exits[i].mean_units, exits[i - 1].mean_units + 1e-9);
    EXPECT_EQ(exits[4].factor, 1.0);
    EXPECT_LE(exits[4].disagreement, 0.03);
    for (const ExitTradeOff& at : exits) EXPECT_GT(at.seconds, 0.0);
    const Figure figure = exit_figure(fitted.model, exits);
    EXPECT_EQ(figure.table.rows.size(), exits.size());
    EXPECT_EQ(figure.table.rows[4][0], "the model's");
  }
}

}  // namespace
}  // namespace accrete::report::early_exit_test
