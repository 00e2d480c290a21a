// Fits and predictions with sparse columns.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "accrete/accrete.hpp"
#include "accrete/baseline/fit.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/staged.hpp"
#include "accrete/tune/cross_validation.hpp"
#include "tests/data/sparse_tables.hpp"
#include "tests/thrown_message.hpp"
#include "tests/tune/cpu_device.hpp"

namespace accrete::boosting::sparse_fit_test {
namespace {

constexpr std::size_t rows = 300, columns = 25;

/// Every row a second time with the opposite signs, so that the mean of every column is 0: dense columns are then
/// encoded as sparse ones.
data::Table mirrored_problem(std::size_t classes) {
  data::SparseRows half = data::random_sparse(rows / 2, columns, 0.2), all = half;
  for (const std::size_t start : std::span(half.starts).subspan(1)) all.starts.push_back(start + half.entries());
  all.indices.insert(all.indices.end(), half.indices.begin(), half.indices.end());
  for (const float x : half.values) all.values.push_back(-x);
  data::Table table{"sparse", {}};
  table.add_sparse(all);
  table.columns.push_back(data::sparse_problem(rows, columns, 0.2, classes).columns.back());
  return table;
}

FitOptions short_fit(data::Task task, config::Config config = {}) {
  static core::Workers one(1);
  config.automatic = false;
  if (!config.units) config.units = 8;
  config.max_iter = 4;
  config.learning_rate = 0.5;
  FitOptions options;
  options.task = task;
  options.config = config;
  options.workers = &one;
  return options;
}

core::Matrix<double> predict(const model::Model& model, const data::Table& table) {
  core::Workers one(1);
  return model::predict(model, table, model.network.steps(), one);
}

void expect_near(const core::Matrix<double>& found, const core::Matrix<double>& wanted, double tolerance) {
  ASSERT_EQ(found.rows(), wanted.rows());
  for (std::size_t i = 0; i < wanted.flat().size(); ++i)
    ASSERT_NEAR(found.flat()[i], wanted.flat()[i], tolerance * (1.0 + std::abs(wanted.flat()[i])));
}

bool same(const core::Matrix<double>& a, const core::Matrix<double>& b) {
  return std::ranges::equal(a.flat(), b.flat());
}

TEST(SparseFit, GivesTheModelOfDenseColumns) {
  for (const auto& [task, classes] :
       {std::pair{data::Task::regression, 0}, {data::Task::binary, 2}, {data::Task::multiclass, 3}}) {
    const data::Table table = mirrored_problem(static_cast<std::size_t>(classes)), dense = data::densified(table);
    for (const config::Config& config :
         {config::Config{.activation = "tanh"}, config::Config{.subsample = 0.7, .activation = "tanh"}}) {
      SCOPED_TRACE(testing::Message() << data::task_name(task) << ' ' << config.subsample.has_value());
      const auto found = fit(table, short_fit(task, config)), wanted = fit(dense, short_fit(task, config));
      EXPECT_GT(found.model.network.units(), 0u);
      expect_near(predict(found.model, table), predict(wanted.model, dense), 2e-4);
    }
  }
}

TEST(SparseFit, PredictsTheSameBitsForDenseAndSparseRows) {
  for (const auto& [task, classes] : {std::pair{data::Task::regression, 0}, {data::Task::multiclass, 3}}) {
    const data::Table table = data::sparse_problem(rows, columns, 0.2, static_cast<std::size_t>(classes));
    const data::Table dense = data::densified(table);
    const auto of_sparse = fit(table, short_fit(task, {.units = 40})).model;
    EXPECT_TRUE(same(predict(of_sparse, table), predict(of_sparse, dense)));
    const auto of_dense = fit(dense, short_fit(task)).model;
    EXPECT_TRUE(same(predict(of_dense, table), predict(of_dense, dense)));
    const auto of_bins = fit(dense, short_fit(task, {.bins = 30})).model;
    EXPECT_TRUE(same(predict(of_bins, table), predict(of_bins, dense)));
  }
}

TEST(SparseFit, StagedPredictionsEndWithThePrediction) {
  const data::Table table = data::sparse_problem(rows, columns, 0.2, 2);
  const auto model = fit(table, short_fit(data::Task::binary, {.units = 40})).model;
  core::Workers one(1);
  model::predict_staged(model, table, one, [&](std::size_t steps, core::MatrixView<const double> staged) {
    const core::Matrix<double> wanted = model::predict(model, table, steps, one);
    for (std::size_t i = 0; i < wanted.flat().size(); ++i) ASSERT_NEAR(staged.flat()[i], wanted.flat()[i], 1e-14);
  });
  const std::vector<std::size_t> some{5, 3, 200};
  expect_near(model::predict_rows(model, table, some, one), predict(model, data::take_rows(table, some)), 1e-14);
}

TEST(SparseFit, DoesNotDependOnThreadsOrRowOrder) {
  const data::Table table = data::sparse_problem(rows, columns, 0.2);
  FitOptions options = short_fit(data::Task::regression);
  const auto model = fit(table, options).model;
  core::Workers three(3);
  options.workers = &three;
  EXPECT_TRUE(same(predict(fit(table, options).model, table), predict(model, table)));
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  core::Rng(1, 0, core::Purpose::generator).shuffle(std::span(order));
  EXPECT_TRUE(same(predict(fit(data::take_rows(table, order), options).model, table), predict(model, table)));
}

TEST(SparseFit, SavedAndGrownModelsAreTheSame) {
  const data::Table table = data::sparse_problem(rows, columns, 0.2);
  const auto half = fit(table, short_fit(data::Task::regression)).model;
  const auto all = fit(table, short_fit(data::Task::regression, {.units = 16})).model;
  const auto grown = grow(half, table, {.config = {.units = 16}}).model;
  EXPECT_TRUE(same(predict(grown, table), predict(all, table)));
  const auto read = io::parse_model(io::serialise(all), "memory");
  EXPECT_TRUE(same(predict(read, table), predict(all, table)));
}

TEST(SparseFit, AModelOfDenseColumnsGrowsOnSparseOnes) {
  const data::Table table = data::sparse_problem(rows, columns, 0.2), dense = data::densified(table);
  const auto model = fit(dense, short_fit(data::Task::regression)).model;
  const FitOptions more{.config = {.units = 16}};
  expect_near(predict(grow(model, table, more).model, table), predict(grow(model, dense, more).model, dense), 1e-4);
}

TEST(SparseFit, ChoosesSettingsAndLearns) {
  const data::Table table = data::sparse_problem(1000, columns, 0.2), test = data::sparse_problem(500, columns, 0.2);
  const auto result = fit(table, {.preset = "fast", .config = {.units = 60, .max_iter = 20}});
  EXPECT_EQ(result.config.bins, 0u);
  EXPECT_FALSE(result.model.provenance.choice.trials.empty());
  const auto& loss = result.model.provenance.train_loss;
  EXPECT_LT(loss[result.model.network.steps()], 0.2 * loss.front());
}

TEST(SparseFit, WorksWithWeightsOffsetsStoppingAndIntervals) {
  data::Table table = data::sparse_problem(rows, columns, 0.2);
  data::Column weights{.name = "w"}, offsets{.name = "o"};
  for (std::size_t r = 0; r < rows; ++r) weights.numbers.push_back(r % 3 == 0 ? 2.0f : 1.0f);
  for (std::size_t r = 0; r < rows; ++r) offsets.numbers.push_back(r % 2 == 0 ? 0.5f : 0.0f);
  table.columns.push_back(weights), table.columns.push_back(offsets);
  FitOptions options = short_fit(data::Task::regression, {.validation_fraction = 0.3, .patience = 4});
  options.targets = {"y"};
  options.weight_column = "w";
  options.offset_column = "o";
  EXPECT_GT(fit(table, options).model.provenance.validation_loss.size(), 1u);
  options.offset_column.clear();
  options.config.validation_fraction.reset();
  options.config.interval = 0.8;
  const auto result = fit(std::move(table), options);
  EXPECT_EQ(result.model.calibration.coverage, 0.8);
}

TEST(SparseFit, EveryLossAndSolverRuns) {
  for (const char* loss : {"squared", "huber", "quantile"})
    EXPECT_GT(fit(data::sparse_problem(rows, columns, 0.2), short_fit(data::Task::regression, {.loss = loss}))
                  .model.network.units(),
              0u);
  for (const char* solver : {"adam", "sgd"})
    EXPECT_GT(fit(data::sparse_problem(rows, columns, 0.2), short_fit(data::Task::regression, {.solver = solver}))
                  .model.network.units(),
              0u);
}

TEST(SparseFit, CrossValidationScoresSparseRows) {
  const data::Table table = data::sparse_problem(rows, columns, 0.2);
  core::Workers one(1);
  FitOptions options = short_fit(data::Task::regression);
  options.workers = nullptr;
  const auto found = tune::cross_validate(table, options, {.folds = 3}, one);
  EXPECT_EQ(found.folds.size(), 3u);
}

TEST(SparseFit, RefusesWhatSparseColumnsCannotDo) {
  const data::Table table = data::sparse_problem(rows, columns, 0.2);
  EXPECT_EQ(thrown_message([&] { fit(table, short_fit(data::Task::regression, {.bins = 8})); }),
            "bins 8: needs dense columns, but all columns are sparse; use bins 0");
  EXPECT_EQ(thrown_message([&] { fit(table, {.targets = {"x3"}}); }),
            "sparse: the target column 'x3' is sparse; it must be dense");
  EXPECT_EQ(thrown_message([&] { fit(table, {.targets = {"y"}, .weight_column = "x3"}); }),
            "sparse: the weight column 'x3' is sparse; it must be dense");
  EXPECT_EQ(thrown_message([&] { fit(table, {.targets = {"y"}, .offset_column = "x3"}); }),
            "sparse: the offset column 'x3' is sparse; it must be dense");
  tune::CpuDevice device;
  EXPECT_NE(thrown_message([&] {
              fit(table, {.device = &device});
            }).find("fits of sparse columns run on the CPU only; use device cpu"),
            std::string::npos);
  EXPECT_NE(thrown_message([&] {
              baseline::fit(table, {.method = model::Method::network});
            }).find("reads dense columns only, but the columns are sparse"),
            std::string::npos);
}

TEST(SparseFit, ThePublicInterfaceTakesATable) {
  Table table = data::sparse_problem(rows, columns, 0.2);
  const Model model = accrete::train(table, "y", {.units = 8, .max_iter = 4, .automatic = false});
  EXPECT_EQ(model.encoder.features(), columns);
}

}  // namespace
}  // namespace accrete::boosting::sparse_fit_test
