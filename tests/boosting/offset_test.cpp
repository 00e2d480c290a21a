// Offsets: known parts of the score.

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/offsets.hpp"

namespace accrete::boosting::offset_test {
namespace {

enum Column { a, b, offset, target };

/// y = f(a, b, offset).
template <class F>
data::Table make_table(std::size_t rows, F f) {
  data::Table table{.source = "made up", .columns = {{.name = "a"}, {.name = "b"}, {.name = "o"}, {.name = "y"}}};
  core::Rng rng(7, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double x[] = {rng.normal(), rng.normal(), rng.normal()};
    for (std::size_t c = 0; c < 3; ++c) table.columns[c].numbers.push_back(static_cast<float>(x[c]));
    table.columns[target].numbers.push_back(static_cast<float>(f(x[0], x[1], x[2], rng)));
  }
  return table;
}

FitOptions options_for(data::Task task, config::Config config) {
  static core::Workers one(1);
  FitOptions options;
  options.task = task;
  config.automatic = config.automatic.value_or(false);
  if (!*config.automatic) config.units = 16, config.learning_rate = 0.3;
  options.config = config;
  options.offset_column = "o";
  options.workers = &one;
  return options;
}

core::Matrix<double> predict(const model::Model& model, const data::Table& table, bool with_offsets = true) {
  core::Workers one(1);
  auto result = model::predict(model, table, model.network.steps(), one);
  const auto& o = table.columns[offset].numbers;
  if (with_offsets) model::add_offsets(model, std::vector<double>(o.begin(), o.end()), result);
  return result;
}

double noisy_number(double x, double y, double o, core::Rng& rng) {
  return 20.0 + std::sin(2 * x) + y + 3.0 * o + 0.1 * rng.normal();
}

TEST(Offset, OfANumberIsTheSameAsFittingTheDifference) {
  const data::Table table = make_table(300, noisy_number);
  data::Table difference = table;
  for (std::size_t r = 0; r < table.rows(); ++r)
    difference.columns[target].numbers[r] -= difference.columns[offset].numbers[r];
  difference.columns.erase(difference.columns.begin() + offset);
  for (const bool automatic : {false, true}) {
    FitOptions options = options_for(data::Task::regression, {.automatic = automatic});
    const auto with = predict(fit(table, options).model, table);
    options.offset_column = {};
    const auto model = fit(difference, options).model;
    core::Workers one(1);
    const auto without = model::predict(model, difference, model.network.steps(), one);
    double error = 0.0;
    for (std::size_t r = 0; r < table.rows(); ++r)
      error += std::pow(with(r, 0) - without(r, 0) - table.columns[offset].numbers[r], 2.0) / 300.0;
    EXPECT_LT(std::sqrt(error), 0.3) << automatic;  // the target's deviation is 3
  }
}

TEST(Offset, IsNoFeature) {
  const data::Table table = make_table(100, noisy_number);
  const auto model = fit(table, options_for(data::Task::regression, {})).model;
  ASSERT_EQ(model.encoder.inputs().size(), 2);
}

TEST(Offset, OfCountsIsTheLogarithmOfAnExposure) {
  const data::Table table = make_table(500, [](double x, double, double o, core::Rng& rng) {
    return std::floor(std::exp(o) * 20.0 * std::exp(0.5 * x) * rng.uniform(0.9, 1.1));
  });
  const auto model = fit(table, options_for(data::Task::regression, {.loss = "poisson"})).model;
  double counts = 0.0, exposure = 0.0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    counts += table.columns[target].numbers[r];
    exposure += std::exp(static_cast<double>(table.columns[offset].numbers[r]));
  }
  EXPECT_NEAR(model.network.bias_after(0)[0], std::log(counts / exposure), 1e-6);
  const auto rates = predict(model, table, false), expected = predict(model, table);
  double error = 0.0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    EXPECT_NEAR(expected(r, 0), rates(r, 0) * std::exp(static_cast<double>(table.columns[offset].numbers[r])), 1e-6);
    error += std::abs(std::log(rates(r, 0) / 20.0) - 0.5 * table.columns[a].numbers[r]) / 500.0;
  }
  EXPECT_LT(error, 0.12);
}

TEST(Offset, OfTwoClassesIsALogit) {
  const data::Table table = make_table(600, [](double x, double, double o, core::Rng& rng) {
    return rng.uniform(0.0, 1.0) < 1.0 / (1.0 + std::exp(-x - 2.0 * o)) ? 1.0 : 0.0;
  });
  const auto model = fit(table, options_for(data::Task::binary, {})).model;
  double start = 0.0, positive = 0.0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    start += 1.0 / (1.0 + std::exp(-model.network.bias_after(0)[0] - table.columns[offset].numbers[r]));
    positive += table.columns[target].numbers[r];
  }
  EXPECT_NEAR(start, positive, 1e-4);  // the mean probability is the share
  const auto p = predict(model, table, false), shifted = predict(model, table);
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double logit = std::log(p(r, 1) / p(r, 0)) + table.columns[offset].numbers[r];
    ASSERT_NEAR(shifted(r, 1), 1.0 / (1.0 + std::exp(-logit)), 1e-12);
    ASSERT_NEAR(shifted(r, 0) + shifted(r, 1), 1.0, 1e-12);
  }
}

TEST(Offset, BackendsAgreeAndGrowingGivesTheSameBits) {
  const data::Table table = make_table(150, noisy_number);
  FitOptions options = options_for(data::Task::regression, {.loss = "huber"});
  const auto whole = fit(table, options).model;
  options.config.units = 8;
  FitOptions more = options;
  more.config = {.units = 16};
  EXPECT_EQ(io::serialise(grow(fit(table, options).model, table, more).model), io::serialise(whole));
  // Long descents end in other minima, because sums are rounded differently.
  options.config.units = 4;
  options.config.max_iter = 4;
  const auto fast = predict(fit(table, options).model, table);
  options.backend = "reference";
  const auto exact = predict(fit(table, options).model, table);
  for (std::size_t r = 0; r < table.rows(); ++r) ASSERT_NEAR(exact(r, 0), fast(r, 0), 0.01);
}

TEST(Offset, ValidationRowsHaveOneToo) {
  const data::Table table = make_table(200, noisy_number);
  data::Table validation = make_table(60, noisy_number);
  FitOptions options = options_for(data::Task::regression, {});
  options.validation = &validation;
  const auto result = fit(table, options);
  EXPECT_LT(result.model.provenance.validation_loss.back(), 0.75 * result.model.provenance.validation_loss.front());
  validation.columns.erase(validation.columns.begin() + offset);
  EXPECT_THROW(fit(table, options), core::DataError);
}

TEST(Offset, IsRememberedByTheModel) {
  data::Table table = make_table(150, noisy_number);
  FitOptions options = options_for(data::Task::regression, {});
  const auto model = io::parse_model(io::serialise(fit(table, options).model), "a copy");
  EXPECT_EQ(model.offset_column, "o");
  options.offset_column = {};
  options.config = {.units = 24};
  EXPECT_NO_THROW(grow(model, table, options)) << "the column is found by its name";
  table.columns[offset].name = "other";
  EXPECT_THROW(grow(model, table, options), core::DataError);
  options.offset_column = "other";
  EXPECT_EQ(grow(model, table, options).model.offset_column, "other");
  options.offset_column = {};
  options.config = {.units = 8, .automatic = false};
  EXPECT_EQ(fit(table, options).model.offset_column, "");
}

TEST(Offset, RefusesWhatCannotBe) {
  data::Table table = make_table(90, noisy_number);
  FitOptions several = options_for(data::Task::regression, {});
  several.targets = {"b", "y"};
  EXPECT_THROW(fit(table, several), core::UsageError);
  FitOptions weight = options_for(data::Task::regression, {});
  weight.weight_column = "o";
  EXPECT_THROW(fit(table, weight), core::Error);
  FitOptions unknown = options_for(data::Task::regression, {});
  unknown.offset_column = "none";
  EXPECT_THROW(fit(table, unknown), core::UsageError);
  table.columns[offset].numbers[3] = std::nanf("");
  EXPECT_THROW(fit(table, options_for(data::Task::regression, {})), core::DataError);
}

}  // namespace
}  // namespace accrete::boosting::offset_test
