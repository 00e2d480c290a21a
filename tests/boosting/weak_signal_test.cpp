// Fits of data without a signal, or with a weak one: a network must not be worse than the constant.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/random.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting::weak_signal_test {
namespace {

/// Normal columns; the target is normal noise and `slope` times each of the first two columns. Classes: its sign.
data::Table make_table(std::size_t rows, std::size_t columns, double slope, bool classes, std::uint64_t seed) {
  core::Rng rng(seed, 0, core::Purpose::generator);
  data::Table table{"weak", std::vector<data::Column>(columns + 1)};
  for (std::size_t c = 0; c <= columns; ++c) table.columns[c].name = "c" + std::to_string(c);
  for (std::size_t r = 0; r < rows; ++r) {
    double y = rng.normal();
    for (std::size_t c = 0; c < columns; ++c) {
      const double x = rng.normal();
      table.columns[c].numbers.push_back(static_cast<float>(x));
      if (c < 2) y += slope * x;
    }
    table.columns[columns].numbers.push_back(static_cast<float>(classes ? y > 0.0 : y));
  }
  return table;
}

/// The loss of the constant 0 for numbers, and of 1/2 for classes.
double constant_loss(const data::Table& table, bool classes) {
  if (classes) return std::log(2.0);
  double sum = 0.0;
  for (const float y : table.columns.back().numbers) sum += static_cast<double>(y) * static_cast<double>(y);
  return sum / static_cast<double>(table.rows());
}

/// Mean loss on new rows: log loss of classes, else squared error.
double test_loss(const model::Model& model, const data::Table& table) {
  core::Workers workers(1);
  const auto predictions = model::predict(model, table, model.network.steps(), workers);
  const auto& y = table.columns.back().numbers;
  double sum = 0.0;
  for (std::size_t r = 0; r < y.size(); ++r)
    sum += model.classes.empty() ? std::pow(predictions(r, 0) - y[r], 2) : -std::log(predictions(r, y[r] > 0.5f));
  return sum / static_cast<double>(y.size());
}

FitResult fit_default(const data::Table& table, bool classes) {
  core::Workers workers(1);
  FitOptions options;
  options.task = classes ? data::Task::binary : data::Task::regression;
  options.workers = &workers;
  return fit(table, options);
}

std::string show(const FitResult& result) {
  return fmt::format("{} units, alpha {}, {} bins", result.model.network.units(), result.config.alpha,
                     result.config.bins);
}

TEST(WeakSignal, NoiseGivesTheConstantOrNothingWorse) {
  std::size_t constants = 0;
  for (const bool classes : {true, false})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const FitResult result = fit_default(make_table(150, 20, 0.0, classes, seed), classes);
      const data::Table fresh = make_table(2000, 20, 0.0, classes, seed + 100);
      EXPECT_LT(test_loss(result.model, fresh), 1.06 * constant_loss(fresh, classes))
          << show(result) << " of seed " << seed;
      if (result.model.network.units() > 0) continue;
      ++constants;
      ASSERT_FALSE(result.notes.empty());
      EXPECT_NE(result.notes.back().text().find("no network is better than a constant"), std::string::npos);
    }
  EXPECT_GE(constants, 2u);
}

/// The number of units is given, so the model has them.
TEST(WeakSignal, AChosenPenaltyIsNotBlamedForNoise) {
  const data::Table table = make_table(40, 20, 0.0, false, 2);
  core::Workers workers(1);
  FitOptions options;
  options.task = data::Task::regression;
  options.config = {.units = 20};
  options.workers = &workers;
  const FitResult chosen = fit(table, options);
  ASSERT_GE(chosen.config.alpha, 40.0) << show(chosen);
  ASSERT_FALSE(chosen.notes.empty());
  EXPECT_TRUE(chosen.notes.back().text().ends_with("no network is better than a constant on the held-out rows"))
      << chosen.notes.back().text();
  options.config.alpha = 100.0;
  const FitResult given = fit(table, options);
  ASSERT_FALSE(given.notes.empty());
  EXPECT_NE(given.notes.back().text().find("is too large for 40 rows"), std::string::npos) << given.notes.back().text();
}

TEST(WeakSignal, AWeakSignalIsNotOverfitted) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const FitResult result = fit_default(make_table(300, 10, 0.1, false, seed), false);
    const data::Table fresh = make_table(2000, 10, 0.1, false, seed + 100);
    EXPECT_LT(test_loss(result.model, fresh), 1.05 * constant_loss(fresh, false))
        << show(result) << " of seed " << seed;
  }
}

/// Rows of ten entries in sparse columns, each with a small effect of its own on the log odds of the class.
data::Table make_sparse_table(std::size_t rows, std::size_t columns, double strength, std::uint64_t seed) {
  core::Rng of_effects(7, 0, core::Purpose::generator), rng(seed, 0, core::Purpose::generator);
  std::vector<double> effects(columns);
  for (double& effect : effects) effect = strength * of_effects.normal();
  data::SparseRows sparse;
  sparse.columns = columns;
  data::Column target{.name = "y"};
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::size_t> drawn = rng.choose(columns, 10);
    std::ranges::sort(drawn);
    double score = 0.0;
    for (const std::size_t c : drawn) {
      sparse.indices.push_back(static_cast<std::uint32_t>(c));
      sparse.values.push_back(1.0f);
      score += effects[c];
    }
    sparse.starts.push_back(sparse.values.size());
    target.numbers.push_back(rng.uniform() < 1.0 / (1.0 + std::exp(-score)) ? 1.0f : 0.0f);
  }
  data::Table table{"sparse", {}};
  table.add_sparse(sparse);
  table.columns.push_back(std::move(target));
  return table;
}

/// A logistic regression with the best penalty has a log loss of 0.65 here; the effects themselves have 0.59.
TEST(WeakSignal, WeakEffectsOfManySparseColumnsAreLearnt) {
  const FitResult result = fit_default(make_sparse_table(12'000, 3000, 0.32, 1), true);
  const data::Table fresh = make_sparse_table(8000, 3000, 0.32, 2);
  EXPECT_LT(test_loss(result.model, fresh), 0.975 * constant_loss(fresh, true)) << show(result);
}

TEST(WeakSignal, NoiseOfManyRowsGivesNothingMuchWorseThanTheConstant) {
  const FitResult result = fit_default(make_table(10'500, 12, 0.0, true, 1), true);
  const data::Table fresh = make_table(2000, 12, 0.0, true, 101);
  EXPECT_LT(test_loss(result.model, fresh), 1.01 * constant_loss(fresh, true)) << show(result);
}

TEST(WeakSignal, WeakEffectsOfManyDenseColumnsAreLearnt) {
  const FitResult result = fit_default(make_table(10'500, 60, 0.1, true, 1), true);
  const data::Table fresh = make_table(8000, 60, 0.1, true, 2);
  EXPECT_LT(test_loss(result.model, fresh), 0.999 * constant_loss(fresh, true)) << show(result);
}

}  // namespace
}  // namespace accrete::boosting::weak_signal_test
