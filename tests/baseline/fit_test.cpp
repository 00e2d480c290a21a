#include "accrete/baseline/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::baseline::fit_test {
namespace {

using model::Method;

/// The features of a sample, its targets, and a column of weights.
data::Table table_of(const boosting::Sample& s) {
  data::Table table;
  table.source = "made up";
  auto add = [&](const std::string& name, auto&& value_of) {
    table.columns.push_back({.name = name});
    for (std::size_t r = 0; r < s.data.rows(); ++r)
      table.columns.back().numbers.push_back(static_cast<float>(value_of(r)));
  };
  for (std::size_t c = 0; c < s.data.features.cols(); ++c)
    add("x" + std::to_string(c), [&](std::size_t r) { return 100.0 + 3.0 * s.data.features.at(r, c); });
  for (std::size_t c = 0; c < s.data.targets.cols(); ++c)
    add("y" + std::to_string(c), [&](std::size_t r) { return s.data.targets(r, c); });
  return table;
}

core::Workers& workers() {
  static core::Workers one(1);
  return one;
}

FitOptions options_for(Method method, data::Task task, Config config = {}) {
  FitOptions options;
  options.method = method;
  options.task = task;
  options.config = std::move(config);
  options.workers = &workers();
  return options;
}

double accuracy(const model::Model& model, const data::Table& table) {
  const auto p = model::predict(model, table, 0, workers());
  double right = 0.0;
  for (std::size_t r = 0; r < p.rows(); ++r)
    right +=
        static_cast<float>(std::stod(model.classes[model::best_class(p.row(r))])) == table.columns.back().numbers[r];
  return right / static_cast<double>(p.rows());
}

TEST(PlainFit, LearnsClasses) {
  for (const auto& [kind, task] : {std::pair{"binary", data::Task::binary}, {"three", data::Task::multiclass}}) {
    const auto table = table_of(boosting::make_sample(kind, 600));
    const auto network = fit(
        table, options_for(Method::network, task, {.hidden = std::vector<std::uint64_t>{30, 10}, .solver = "lbfgs"}));
    EXPECT_GT(accuracy(network.model, table), 0.9) << kind;
    const auto boosted = fit(table, options_for(Method::adaboost, task, {.activation = "tanh"}));
    EXPECT_GT(accuracy(boosted.model, table), 0.85) << kind;
  }
}

/// The mean over six seeds, because a single ensemble without a standardised target varies much.
TEST(PlainFit, LearnsNumbersStandardisedOrNot) {
  auto sample = boosting::make_sample("number", 400);
  for (std::size_t r = 0; r < 400; ++r) sample.data.targets(r, 0) = 50.0 + 10.0 * sample.data.targets(r, 0);
  const auto table = table_of(sample);
  for (const bool standardise : {true, false})
    for (const Method method : {Method::network, Method::adaboost}) {
      double squares = 0.0, spread = 0.0;
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const auto result = fit(
            table,
            options_for(method, data::Task::regression,
                        {.activation = "tanh", .solver = "lbfgs", .standardise_target = standardise, .seed = seed}));
        EXPECT_EQ(result.model.target_shift[0] != 0.0, standardise);
        const auto p = model::predict(result.model, table, 0, workers());
        for (std::size_t r = 0; r < 400; ++r) {
          squares += std::pow(p(r, 0) - sample.data.targets(r, 0), 2);
          spread += std::pow(50.0 - sample.data.targets(r, 0), 2);
        }
      }
      EXPECT_LT(squares, (method == Method::network ? 0.1 : 0.6) * spread)
          << standardise << " " << model::method_name(method);
    }
}

TEST(PlainFit, FitsASubsetLikeATableOfTheseRows) {
  const auto sample = boosting::make_sample("binary", 300);
  const data::Table table = table_of(sample);
  data::Table part = table;
  FitOptions options = options_for(Method::network, data::Task::binary, {.max_iter = 5, .seed = 7});
  for (auto& column : part.columns) column.numbers.clear();
  for (std::size_t r = 1; r < 300; r += 3) {
    options.rows.push_back(r);
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      part.columns[c].numbers.push_back(table.columns[c].numbers[r]);
  }
  for (const Method method : {Method::network, Method::adaboost}) {
    options.method = method;
    FitOptions whole = options;
    whole.rows.clear();
    EXPECT_EQ(io::serialise(fit(table, options).model), io::serialise(fit(part, whole).model));
  }
}

TEST(PlainFit, WritesTheSameFileOnAnyNumberOfThreads) {
  const auto table = table_of(boosting::make_sample("three", 2000));
  for (const Method method : {Method::network, Method::adaboost}) {
    FitOptions options = options_for(method, data::Task::multiclass, {.max_iter = 4});
    if (method == Method::network) options.config.batch_size = 1100;
    if (method == Method::adaboost) options.config.estimators = 4;
    const auto bytes = io::serialise(fit(table, options).model);
    core::Workers many(3);
    options.workers = &many;
    EXPECT_EQ(io::serialise(fit(table, options).model), bytes);
    options.config.seed = 1;
    EXPECT_NE(io::serialise(fit(table, options).model), bytes);
  }
}

TEST(PlainFit, RecordsItsParameters) {
  const auto table = table_of(boosting::make_sample("binary", 100));
  const auto result = fit(
      table, options_for(Method::network, data::Task::binary, {.hidden = std::vector<std::uint64_t>{9, 4}, .seed = 3}));
  const model::Provenance& made = result.model.provenance;
  EXPECT_EQ(made.parameters, settings_of(Method::network, result.config));
  EXPECT_EQ(made.training_rows, 100u);
  EXPECT_NE(made.data_fingerprint, 0u);
  EXPECT_EQ(made.train_loss.size(), 200u);
  EXPECT_EQ(result.ending, "reached the iteration limit");
  EXPECT_EQ(result.model.units_after(0), 13u);
}

TEST(PlainFit, CallsTheObserverAndStopsWhenAsked) {
  const auto table = table_of(boosting::make_sample("binary", 200));
  for (const Method method : {Method::network, Method::adaboost}) {
    std::size_t seen = 0;
    const auto result = fit(table, options_for(method, data::Task::binary), [&](const Progress& p) {
      EXPECT_EQ(p.done, ++seen);
      EXPECT_EQ(p.max, method == Method::network ? 200u : 67u);
      return p.done < 3;
    });
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.model.provenance.train_loss.size(), 3u);
    EXPECT_NO_THROW(io::serialise(result.model));
  }
}

TEST(PlainFit, KeepsTheBestEpochIfTheLossOverflows) {
  auto sample = boosting::make_sample("number", 200);
  for (std::size_t r = 0; r < 200; ++r) sample.data.targets(r, 0) *= 1e9;
  const auto result = fit(table_of(sample), options_for(Method::network, data::Task::regression, {.solver = "sgd"}));
  EXPECT_EQ(result.ending, "the loss is no longer finite");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].text().find("solver_rate"), std::string::npos);
  EXPECT_NO_THROW(io::serialise(result.model)) << "its weights are finite";
}

TEST(PlainFit, RefusesAdaBoostOfSeveralTargets) {
  const auto table = table_of(boosting::make_sample("pair", 50));
  FitOptions options = options_for(Method::adaboost, data::Task::regression);
  options.targets = {"y0", "y1"};
  EXPECT_THROW(fit(table, options), core::UsageError);
  options.method = Method::network;
  EXPECT_EQ(fit(table, options).model.network.outputs(), 2u);
}

}  // namespace
}  // namespace accrete::baseline::fit_test
