// Prediction through lookup tables; the dense weights are the reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "accrete/core/error.hpp"
#include "accrete/model/link.hpp"
#include "accrete/network/forward.hpp"
#include "tests/model/mixed_model.hpp"
#include "tests/network/single_target.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::model::predict_tables_test {
namespace {

core::Matrix<double> predict_dense(const Model& model, const data::Table& table, std::size_t steps) {
  core::Workers workers(1);
  return apply_link(model, network::forward(model.network, model.encoder.encode(table), steps, workers));
}

/// Equal within 1e-5 of the largest score.
void expect_near(core::MatrixView<const double> given, core::MatrixView<const double> wanted) {
  ASSERT_EQ(given.flat().size(), wanted.flat().size());
  double scale = 0.0, worst = 0.0;
  for (const double score : wanted.flat()) scale = std::max(scale, std::abs(score));
  for (std::size_t i = 0; i < wanted.flat().size(); ++i) {
    ASSERT_TRUE(std::isfinite(given.flat()[i]));
    worst = std::max(worst, std::abs(given.flat()[i] - wanted.flat()[i]));
  }
  EXPECT_LE(worst, 1e-5 * scale);
}

TEST(PredictTables, AgreeWithTheDenseWeightsAtEveryPrefix) {
  core::Workers workers(1);
  const data::Table table = mixed_rows(300);
  for (const char* activation : activation::All::names)
    for (std::size_t outputs = 1; outputs <= 5; ++outputs) {
      const Model model = mixed_model(outputs, activation);
      ASSERT_TRUE(tables_of(model));
      for (std::size_t steps = 0; steps <= model.network.steps(); ++steps) {
        SCOPED_TRACE(std::string(activation) + ", outputs " + std::to_string(outputs) + ", steps " +
                     std::to_string(steps));
        expect_near(predict(model, table, steps, workers), predict_dense(model, table, steps));
      }
    }
}

TEST(PredictTables, AgreeOnEveryInstructionSet) {
  core::Workers workers(1);
  const data::Table table = mixed_rows(70);
  for (const std::size_t outputs : {1, 3}) {
    const Model model = mixed_model(outputs, "tanh");
    const auto wanted = predict_dense(model, table, model.network.steps());
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      const SingleTarget single(target);
      expect_near(predict(model, table, model.network.steps(), workers), wanted);
    }
  }
}

TEST(PredictTables, AgreeForNumbersFarFromTheKnots) {
  core::Workers workers(1);
  for (const char* activation : activation::All::names) {
    SCOPED_TRACE(activation);
    const Model model = mixed_model(1, activation);
    data::Table table = mixed_rows(40);
    for (std::size_t r = 0; r < 40; ++r) {
      const double magnitude = std::pow(10.0, static_cast<double>(r) - 1.0);
      table.columns[1].numbers[r] = static_cast<float>(std::min(magnitude, 3e38));
      table.columns[2].numbers[r] = static_cast<float>(std::min(magnitude, 3e38));
      table.columns[3].numbers[r] = static_cast<float>(-std::min(magnitude, 3e38));
    }
    const std::size_t steps = model.network.steps();
    expect_near(predict(model, table, steps, workers), predict_dense(model, table, steps));
  }
}

TEST(PredictTables, BitsDependNeitherOnTheBatchNorOnTheThreads) {
  const std::size_t rows = 2'500;
  const data::Table table = mixed_rows(rows);
  core::Workers one(1), three(3);
  for (const std::size_t outputs : {1, 3}) {
    const Model model = mixed_model(outputs, "logistic");
    const std::size_t steps = model.network.steps();
    const auto all = predict(model, table, steps, one);
    const auto shared = predict(model, table, steps, three);
    EXPECT_TRUE(std::ranges::equal(all.flat(), shared.flat()));
    std::vector<float> workspace(workspace_size(model));
    std::vector<double> alone(outputs);
    for (std::size_t r = 0; r < rows; r += 7) {
      predict_row(model, raw_row(table, r), steps, workspace, alone);
      ASSERT_TRUE(std::ranges::equal(alone, all.row(r))) << r;
    }
  }
}

TEST(PredictTables, AgreeForSeveralNumbersWithoutBins) {
  core::Workers workers(1);
  Model model = mixed_model(2, "relu");
  const data::Table all = mixed_rows(200);
  std::vector<data::Input> inputs;
  data::Table table;
  for (const std::size_t column : {1, 3, 2, 5}) {
    data::Input input = mixed_inputs()[column];
    if (column != 2) input.knots.clear(), input.bin_means.clear(), input.bin_scales.clear();
    input.gap_flag = false;
    inputs.push_back(std::move(input));
    table.columns.push_back(all.columns[column]);
  }
  model.encoder = data::Encoder(inputs);
  model.network = network::random_network(model.encoder.features(), 2, 53, "relu");
  ASSERT_TRUE(tables_of(model));
  const std::size_t steps = model.network.steps();
  expect_near(predict(model, table, steps, workers), predict_dense(model, table, steps));
}

TEST(PredictTables, AgreeForMatricesOfNumbers) {
  core::Workers workers(2);
  Model model = mixed_model(2, "relu");
  auto inputs = mixed_inputs();
  inputs.erase(inputs.begin() + 5, inputs.end());
  model.encoder = data::Encoder(inputs);
  model.network = network::random_network(model.encoder.features(), 2, 30, "relu");
  ASSERT_TRUE(tables_of(model));
  data::Table table = mixed_rows(1'100);
  table.columns.erase(table.columns.begin() + 5, table.columns.end());
  std::vector<float> x;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const auto row = raw_row(table, r);
    x.insert(x.end(), row.begin(), row.end());
  }
  const std::size_t steps = model.network.steps();
  const auto from_matrix = predict(model, core::MatrixView<const float>{x.data(), table.rows(), 5}, steps, workers);
  const auto from_table = predict(model, table, steps, workers);
  EXPECT_TRUE(std::ranges::equal(from_matrix.flat(), from_table.flat()));
  expect_near(from_matrix, predict_dense(model, table, steps));
}

TEST(PredictTables, FollowChangesOfTheModel) {
  core::Workers workers(1);
  const data::Table table = mixed_rows(50);
  Model model = mixed_model(1, "tanh");
  const auto expect_current = [&](const Model& m) {
    expect_near(predict(m, table, m.network.steps(), workers), predict_dense(m, table, m.network.steps()));
  };
  expect_current(model);
  const Model copy = model;
  EXPECT_EQ(tables_of(copy), tables_of(model)) << "copies share the tables";
  const network::Block last = model.network.block(model.network.steps() - 1);
  model.network.truncate(4);
  expect_current(model);
  model.network.append(last);
  expect_current(model);
  auto inputs = mixed_inputs();
  inputs[2].mean += 1.0;
  model.encoder = data::Encoder(inputs);
  expect_current(model);
  expect_current(copy);
}

TEST(PredictTables, CanBeBuiltByTheFirstOfSeveralThreads) {
  const data::Table table = mixed_rows(1);
  const auto raw = raw_row(table, 0);
  const Model model = mixed_model(1, "tanh"), other = model;
  std::vector<double> predictions(4);
  std::vector<std::thread> threads;
  for (double& prediction : predictions)
    threads.emplace_back([&] {
      std::vector<float> workspace(workspace_size(model));
      predict_row(model, raw, model.network.steps(), workspace, {&prediction, 1});
    });
  for (std::thread& thread : threads) thread.join();
  core::Workers workers(1);
  const auto wanted = predict(other, table, other.network.steps(), workers);
  for (const double prediction : predictions) EXPECT_EQ(prediction, wanted(0, 0));
}

TEST(PredictTables, RefuseInfinitiesAsTheDenseWeightsDo) {
  const Model model = mixed_model(1, "tanh");
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t column : {0, 1, 2, 3, 4})
    for (const std::size_t threads : {1, 3}) {
      core::Workers workers(threads);
      data::Table table = mixed_rows(5'000);
      table.columns[column].numbers[4'321] = table.columns[column].numbers[2'222] = -infinity;
      EXPECT_EQ(thrown_message<core::DataError>([&] { predict(model, table, 1, workers); }),
                thrown_message<core::DataError>([&] { model.encoder.encode(table); }));
      std::vector<float> workspace(workspace_size(model));
      double prediction = 0.0;
      EXPECT_THROW(predict_row(model, raw_row(table, 2'222), 1, workspace, {&prediction, 1}), core::DataError);
    }
}

TEST(PredictTables, AreNotUsedForPlainNumbers) {
  Model model = mixed_model(1, "tanh");
  model.encoder = data::Encoder({{.name = "a"}, {.name = "b", .gap_flag = true}});
  model.network = network::random_network(3, 1, 20, "tanh");
  EXPECT_FALSE(tables_of(model));
}

}  // namespace
}  // namespace accrete::model::predict_tables_test
