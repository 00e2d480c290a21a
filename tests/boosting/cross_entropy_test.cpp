// Targets that are probabilities, and several yes/no targets.

#include "accrete/loss/cross_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::boosting::cross_entropy_test {
namespace {

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

/// Columns a and b, the probability p of a class, the class y itself, and another class z.
data::Table make_table(std::size_t rows) {
  data::Table table{.source = "made up",
                    .columns = {{.name = "a"}, {.name = "b"}, {.name = "p"}, {.name = "y"}, {.name = "z"}}};
  core::Rng rng(9, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.normal(), p = sigmoid(2.0 * std::sin(a) + b);
    const double values[] = {a, b, p, rng.uniform(0.0, 1.0) < p ? 1.0 : 0.0, a * b > 0.0 ? 1.0 : 0.0};
    for (std::size_t c = 0; c < 5; ++c) table.columns[c].numbers.push_back(static_cast<float>(values[c]));
  }
  return table;
}

data::Table without(data::Table table, std::initializer_list<const char*> names) {
  for (const char* name : names)
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(*table.find(name)));
  return table;
}

FitOptions options_for(std::vector<std::string> targets, config::Config config = {}) {
  static core::Workers one(1);
  FitOptions options;
  options.targets = std::move(targets);
  config.loss = "cross_entropy";
  config.automatic = false;
  config.units = config.units.value_or(48);
  config.learning_rate = 0.3;
  options.config = config;
  options.workers = &one;
  return options;
}

core::Matrix<double> predict(const model::Model& model, const data::Table& table) {
  core::Workers one(1);
  return model::predict(model, table, model.network.steps(), one);
}

TEST(CrossEntropy, LearnsTheProbabilitiesOfAnotherModel) {
  const data::Table table = without(make_table(500), {"y", "z"});
  const auto model = fit(table, options_for({"p"})).model;
  const auto predictions = predict(model, table);
  double error = 0.0, mean = 0.0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    error += std::abs(predictions(r, 0) - table.columns[2].numbers[r]) / 500.0;
    mean += table.columns[2].numbers[r] / 500.0;
  }
  EXPECT_LT(error, 0.03);
  EXPECT_NEAR(sigmoid(model.network.bias_after(0)[0]), mean, 1e-9);
  EXPECT_EQ(predict(io::parse_model(io::serialise(model), "memory"), table)(3, 0), predictions(3, 0));
}

TEST(CrossEntropy, OfZeroAndOneIsTheLogisticLoss) {
  const data::Table table = without(make_table(400), {"p", "z"});
  FitOptions options = options_for({"y"}, {.units = 4, .objective = "direct", .max_iter = 4});
  options.config.activation = "tanh";
  options.config.feature_fraction = 1.0;
  options.config.first_rate = 0.0;
  const auto one_target = predict(fit(table, options).model, table);
  options.config.loss = "logistic";
  options.task = data::Task::binary;
  const auto two_classes = predict(fit(table, options).model, table);
  for (std::size_t r = 0; r < table.rows(); ++r) ASSERT_NEAR(one_target(r, 0), two_classes(r, 1), 1e-4) << r;
}

TEST(CrossEntropy, SeveralYesNoTargetsShareTheirUnits) {
  const data::Table table = without(make_table(600), {"p"});
  const auto model = fit(table, options_for({"y", "z"}, {.units = 96})).model;
  EXPECT_EQ(model.task, data::Task::regression);
  EXPECT_EQ(model.network.outputs(), 2);
  const auto predictions = predict(model, table);
  double right = 0.0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    ASSERT_TRUE(predictions(r, 0) > 0.0 && predictions(r, 0) < 1.0);
    right += (predictions(r, 1) > 0.5) == (table.columns[3].numbers[r] > 0.5f) ? 1.0 / 600.0 : 0.0;
  }
  EXPECT_GT(right, 0.9);
}

TEST(CrossEntropy, RefusesOtherTargets) {
  data::Table table = without(make_table(60), {"y", "z"});
  table.columns[2].numbers[7] = 1.5f;
  const std::string said = thrown_message<core::DataError>([&] { fit(table, options_for({"p"})); });
  EXPECT_NE(said.find("row 8"), std::string::npos) << said;
}

}  // namespace
}  // namespace accrete::boosting::cross_entropy_test
