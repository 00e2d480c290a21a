#include "accrete/model/predict_exit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/take_rows.hpp"
#include "tests/model/mixed_model.hpp"

namespace accrete::model::predict_exit_test {
namespace {

struct Kind {
  const char* loss;
  data::Task task;
  std::size_t outputs, classes;
};
const Kind kinds[] = {{"logistic", data::Task::binary, 1, 2},
                      {"softmax", data::Task::multiclass, 3, 3},
                      {"squared", data::Task::regression, 2, 0},
                      {"poisson", data::Task::regression, 1, 0}};

/// Five numbers, or the mixed columns, which predict through lookup tables. 96 units in steps of 4, with exits after
/// 16, 32 and 64 of them that some rows take.
Model exit_model(const Kind& kind, bool tables) {
  Model model;
  model.task = kind.task;
  model.loss = loss::Loss::named(kind.loss);
  model.target_shift.assign(kind.outputs, 1.0);
  model.target_scale.assign(kind.outputs, 2.0);
  for (std::size_t k = 0; k < kind.classes; ++k) model.classes.push_back(std::to_string(k));
  for (std::size_t k = 0; k < (kind.classes ? 1 : kind.outputs); ++k) model.targets.push_back("y" + std::to_string(k));
  std::vector<data::Input> inputs = mixed_inputs();
  if (!tables) {
    inputs.clear();
    for (std::size_t i = 0; i < 5; ++i)
      inputs.push_back({.name = "x" + std::to_string(i), .mean = 0.1 * static_cast<double>(i)});
  }
  model.encoder = data::Encoder(inputs);
  network::Network network(model.encoder.features(), activation::Activation::named("tanh"),
                           std::vector<double>(kind.outputs, 0.1));
  core::Rng rng(4, 0, core::Purpose::generator);
  for (std::size_t step = 0; step < 24; ++step) {
    network::Block block;
    block.units = 4;
    block.outputs = kind.outputs;
    for (std::size_t i = 0; i < network.features(); ++i) block.features.push_back(i);
    const double size = 0.5 / static_cast<double>(1 + step);
    const auto draw = [&](std::vector<float>& values, std::size_t count, double scale) {
      for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(scale * rng.normal()));
    };
    draw(block.hidden_weights, 4 * network.features(), 0.4);
    draw(block.hidden_bias, 4, 0.4);
    draw(block.output_weights, 4 * kind.outputs, size);
    block.output_bias.assign(kind.outputs, 0.1 * size);
    network.append(block);
  }
  model.network = network;
  model.early_exit = {.disagreement = 0.01, .confidence = 0.9, .rows = 1, .exits = {}, .tolerances = {}};
  const bool classes = kind.classes > 0;
  for (const std::size_t steps : {4, 8, 16}) model.early_exit.exits.push_back({steps, classes ? 0.6 : 1.0});
  if (!classes) model.early_exit.tolerances.assign(kind.outputs, 0.3), model.early_exit.exits[0].threshold = -1.0;
  return model;
}

data::Table table_for(const Model& model, std::size_t rows) {
  if (!model.encoder.all_numeric()) return mixed_rows(rows);
  core::Rng rng(6, rows, core::Purpose::generator);
  std::vector<float> x(rows * 5);
  for (float& value : x) value = static_cast<float>(rng.normal());
  return data::Table::from_rows({x.data(), rows, 5});
}

TEST(PredictExit, GivesEveryRowThePredictionOfThePrefixItUsed) {
  core::Workers workers(1);
  for (const Kind& kind : kinds)
    for (const bool tables : {false, true})
      for (const std::size_t rows : {1, 70, 3'000}) {
        SCOPED_TRACE(std::string(kind.loss) + (tables ? ", tables, " : ", dense, ") + std::to_string(rows));
        const Model model = exit_model(kind, tables);
        const data::Table table = table_for(model, rows);
        const ExitPredictions found = predict_exit(model, table, workers);
        std::size_t stopped = 0, last = 0;
        for (const std::size_t units : {16, 32, 64, 96}) {
          const auto expected = predict(model, table, units / 4, workers);
          for (std::size_t r = 0; r < rows; ++r) {
            if (found.units[r] != units) continue;
            (units < 96 ? stopped : last) += 1;
            for (std::size_t k = 0; k < expected.cols(); ++k) {
              // The bias of a prefix is added at another place of the sum of lookup tables.
              if (tables && units < 96)
                ASSERT_NEAR(found.values(r, k), expected(r, k), 1e-12 * (1.0 + std::abs(expected(r, k)))) << r;
              else
                ASSERT_EQ(found.values(r, k), expected(r, k)) << r << ", " << units << " units";
            }
          }
        }
        EXPECT_EQ(stopped + last, rows);
        if (rows == 3'000) {
          EXPECT_GT(stopped, 100);
          EXPECT_GT(last, 100);
          EXPECT_LT(found.mean_units(), 96.0);
        }
      }
}

/// Exits after 12, 20 and 68 units, of which 16 are computed at a time.
TEST(PredictExit, GivesThePredictionOfPrefixesThatEndWithinAGroupOfUnits) {
  core::Workers workers(1);
  for (const Kind& kind : kinds)
    for (const bool tables : {false, true}) {
      SCOPED_TRACE(std::string(kind.loss) + (tables ? ", tables" : ", dense"));
      Model model = exit_model(kind, tables);
      model.early_exit.exits[0].steps = 3, model.early_exit.exits[1].steps = 5, model.early_exit.exits[2].steps = 17;
      const data::Table table = table_for(model, 500);
      const ExitPredictions found = predict_exit(model, table, workers);
      for (std::size_t r = 0; r < 500; ++r) {
        const auto expected = predict(model, data::take_rows(table, std::vector{r}), found.units[r] / 4, workers);
        for (std::size_t k = 0; k < expected.cols(); ++k)
          ASSERT_NEAR(found.values(r, k), expected(0, k), 1e-5 * (1.0 + std::abs(expected(0, k)))) << r;
      }
      EXPECT_GT(std::ranges::count(found.units, 68), 10);
      EXPECT_GT(std::ranges::count(found.units, 96), 10);
    }
}

TEST(PredictExit, StopsARowAtTheFirstExitWithEnoughMargin) {
  core::Workers workers(1);
  const Model model = exit_model(kinds[1], false);
  const data::Table table = table_for(model, 500);
  const ExitPredictions found = predict_exit(model, table, workers);
  std::vector<std::size_t> expected(500, 96);
  for (const std::size_t units : {64, 32, 16}) {
    const auto probabilities = predict(model, table, units / 4, workers);
    for (std::size_t r = 0; r < 500; ++r) {
      std::vector<double> p(probabilities.row(r).begin(), probabilities.row(r).end());
      std::ranges::sort(p);
      if (std::log(p[2]) - std::log(p[1]) >= 0.6) expected[r] = units;
    }
  }
  EXPECT_EQ(found.units, expected);
}

TEST(PredictExit, StopsARegressionWhereItsPredictionsHaveSettled) {
  core::Workers workers(1);
  const Model model = exit_model(kinds[2], false);
  const data::Table table = table_for(model, 500);
  std::vector<std::size_t> expected(500, 96);
  for (const auto& [before, units] : {std::pair{32, 64}, {16, 32}}) {
    const auto from = predict(model, table, std::size_t(before / 4), workers),
               to = predict(model, table, std::size_t(units / 4), workers);
    for (std::size_t r = 0; r < 500; ++r)
      if (std::abs(to(r, 0) - from(r, 0)) <= 0.3 && std::abs(to(r, 1) - from(r, 1)) <= 0.3)
        expected[r] = std::size_t(units);
  }
  EXPECT_EQ(predict_exit(model, table, workers).units, expected);
}

TEST(PredictExit, DoesNotDependOnThreadsOrOnTheSourceOfTheRows) {
  core::Workers one(1), three(3);
  for (const bool tables : {false, true}) {
    const Model model = exit_model(kinds[0], tables);
    const data::Table table = table_for(model, 20'000);
    const auto a = predict_exit(model, table, one), b = predict_exit(model, table, three);
    EXPECT_TRUE(std::ranges::equal(a.values.flat(), b.values.flat()));
    EXPECT_EQ(a.units, b.units);
  }
  const Model model = exit_model(kinds[0], false);
  const data::Table table = table_for(model, 2'000);
  std::vector<float> raw;
  for (std::size_t r = 0; r < 2'000; ++r)
    for (const data::Column& column : table.columns) raw.push_back(column.numbers[r]);
  const auto a = predict_exit(model, table, one),
             b = predict_exit(model, core::MatrixView<const float>{raw.data(), 2'000, 5}, three);
  EXPECT_TRUE(std::ranges::equal(a.values.flat(), b.values.flat()));
}

TEST(PredictExit, WithoutExitsUsesAllUnits) {
  core::Workers workers(1);
  Model model = exit_model(kinds[0], false);
  model.early_exit.exits.clear();
  const data::Table table = table_for(model, 100);
  const auto found = predict_exit(model, table, workers);
  const auto full = predict(model, table, 24, workers);
  EXPECT_EQ(found.mean_units(), 96.0);
  EXPECT_TRUE(std::ranges::equal(found.values.flat(), full.flat()));
}

TEST(PredictExit, RefusesAModelWithoutThresholdsAndInfinities) {
  core::Workers workers(1);
  Model model = exit_model(kinds[0], false);
  data::Table table = table_for(model, 3'000);
  table.columns[2].numbers[2'500] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(predict_exit(model, table, workers), core::DataError);
  model.truncate(20);
  EXPECT_EQ(model.early_exit, EarlyExit{});
  EXPECT_THROW(predict_exit(model, table_for(model, 10), workers), core::UsageError);
}

TEST(EarlyExit, MarginsAndMovementsOfKnownRows) {
  const double two[] = {-1.5}, three[] = {1.0, 4.0, 3.5}, tie[] = {2.0, 2.0};
  EXPECT_EQ(class_of(two), 0);
  EXPECT_EQ(margin(two), 1.5);
  EXPECT_EQ(margin_of(1, two), -1.5);
  EXPECT_EQ(class_of(three), 1);
  EXPECT_EQ(margin(three), 0.5);
  EXPECT_EQ(margin_of(0, three), -3.0);
  EXPECT_EQ(class_of(tie), 0);
  EXPECT_EQ(margin(tie), 0.0);
  const double from[] = {1.0, 10.0}, to[] = {1.5, 7.0}, tolerances[] = {0.25, 2.0};
  EXPECT_EQ(movement(from, to, tolerances), 2.0);
}

}  // namespace
}  // namespace accrete::model::predict_exit_test
