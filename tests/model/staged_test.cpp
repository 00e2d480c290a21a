#include "accrete/model/staged.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "tests/boosting/mixed_table.hpp"

namespace accrete::model::staged_test {
namespace {

Model fitted(const char* kind, const data::Table& table) {
  return boosting::fit(table, boosting::mixed_options(kind, {.units = 20, .units_per_step = 2, .bins = 3})).model;
}

TEST(Staged, GivesThePredictionsOfEveryPrefix) {
  for (const char* kind : {"binary", "three", "number"})
    for (const std::size_t threads : {1u, 2u}) {
      SCOPED_TRACE(kind);
      core::Workers workers(threads);
      const data::Table table = boosting::mixed_table(kind, 600);
      const Model model = fitted(kind, table);
      StagedPrediction staged(model, table, workers);
      for (std::size_t steps = 0; steps <= 10; ++steps) {
        EXPECT_EQ(staged.steps(), steps);
        const auto wanted =
            apply_link(model, network::forward(model.network, model.encoder.encode(table), steps, workers));
        EXPECT_TRUE(std::ranges::equal(staged.predictions().flat(), wanted.flat())) << steps;
        EXPECT_EQ(staged.next(), steps < 10);
      }
      EXPECT_FALSE(staged.next());
      EXPECT_EQ(staged.steps(), 10u);
    }
}

TEST(Staged, MatchesPredictStaged) {
  core::Workers workers(2);
  const data::Table table = boosting::mixed_table("three", 300);
  const Model model = fitted("three", table);
  StagedPrediction staged(model, table, workers);
  std::size_t calls = 0;
  predict_staged(model, table, workers, [&](std::size_t steps, core::MatrixView<const double> predictions) {
    EXPECT_EQ(steps, calls++);
    EXPECT_EQ(steps, staged.steps());
    EXPECT_TRUE(std::ranges::equal(predictions.flat(), staged.predictions().flat()));
    staged.next();
  });
  EXPECT_EQ(calls, 11u);
}

TEST(Staged, DoesNotNeedTheTable) {
  core::Workers workers(1);
  auto table = std::make_unique<data::Table>(boosting::mixed_table("number", 100));
  const Model model = fitted("number", *table);
  const auto wanted = predict(model, *table, 1, workers);
  StagedPrediction staged(model, *table, workers);
  table.reset();
  ASSERT_TRUE(staged.next());
  EXPECT_TRUE(std::ranges::equal(staged.predictions().flat(), wanted.flat()));
}

TEST(Staged, RefusesATableWithoutTheInputs) {
  core::Workers workers(1);
  data::Table table = boosting::mixed_table("number", 100);
  const Model model = fitted("number", table);
  table.columns.erase(table.columns.begin());
  EXPECT_THROW(StagedPrediction(model, table, workers), core::DataError);
}

TEST(Staged, GivesTheSameBitsIfTilesAreEncodedAtEachStep) {
  core::Workers workers(2);
  for (const char* kind : {"binary", "number"}) {
    const data::Table table = boosting::mixed_table(kind, 300);
    const Model model = fitted(kind, table);
    StagedPrediction once(model, StagedRows(model.encoder, table), workers);
    StagedPrediction each(model, StagedRows(model.encoder, table, 0), workers);
    do EXPECT_TRUE(std::ranges::equal(once.predictions().flat(), each.predictions().flat())) << each.steps();
    while (once.next() && each.next());
  }
  data::Table table = boosting::mixed_table("number", 300);
  const Model model = fitted("number", table);
  for (data::Column& column : table.columns)
    if (column.name == model.encoder.inputs().front().name) column.numbers[7] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(StagedRows(model.encoder, table, 0), core::DataError);
}

}  // namespace
}  // namespace accrete::model::staged_test
