// Sample weights before the loop: target scale, encoder, absent rows, refusals.

#include <gtest/gtest.h>

#include <limits>

#include "accrete/boosting/target_scale.hpp"
#include "accrete/core/error.hpp"
#include "tests/boosting/mixed_table.hpp"
#include "tests/boosting/samples.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::boosting::weights_test {
namespace {

std::vector<std::size_t> rows_with_weight(const data::Table& table) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < table.rows(); ++r)
    if (table.columns[3].numbers[r] > 0.0f) rows.push_back(r);
  return rows;
}

std::string refusal(const data::Table& table, const FitOptions& options) {
  return thrown_message<core::DataError>([&] { fit(table, options); });
}

TEST(Weights, EnterTheScaleOfTheTarget) {
  core::Matrix<double> targets(4, 1);
  const std::vector<double> values{1, 3, 1000, 5}, weights{1, 2, 0, 1};
  std::ranges::copy(values, targets.flat().begin());
  const std::vector<std::size_t> rows{0, 1, 3};
  const TargetScale scale =
      target_scale({targets, weights}, rows, config::configure("default", data::Task::regression, {}));
  EXPECT_DOUBLE_EQ(scale.shift[0], 3.0);
  EXPECT_DOUBLE_EQ(scale.scale[0], std::sqrt(2.0));
}

TEST(Weights, MakeARowOfWeightZeroAbsent) {
  const std::vector<config::Config> ways{{},
                                         {.bins = 5},
                                         {.validation_fraction = 0.3},
                                         {.subsample = 0.6, .objective = "residual"},
                                         {.objective = "residual", .solver = "adam", .max_iter = 5}};
  for (const char* kind : {"binary", "three", "number"})
    for (std::size_t way = 0; way < ways.size(); ++way) {
      SCOPED_TRACE(kind + std::to_string(way));
      data::Table table = mixed_table(kind, 200);
      // Only rows of weight 0 have a missing value, this level and an infinity.
      table.columns[3].numbers[7] = table.columns[3].numbers[8] = 0.0f;
      table.columns[0].numbers[7] = std::numeric_limits<float>::quiet_NaN();
      table.columns[0].numbers[8] = std::numeric_limits<float>::infinity();
      table.columns[2].levels.push_back("mauve");
      table.columns[2].codes[7] = 3;
      const auto options = mixed_options(kind, ways[way]);
      const auto whole = fit(table, options), less = fit(rows_of(table, rows_with_weight(table)), options);
      EXPECT_TRUE(same(whole.model.network, less.model.network));
      EXPECT_EQ(whole.model.encoder.inputs(), less.model.encoder.inputs());
      EXPECT_EQ(whole.model.target_shift, less.model.target_shift);
      EXPECT_EQ(whole.model.target_scale, less.model.target_scale);
      EXPECT_EQ(whole.model.provenance.data_fingerprint, less.model.provenance.data_fingerprint);
      EXPECT_EQ(whole.model.provenance.validation_loss, less.model.provenance.validation_loss);
      EXPECT_EQ(whole.model.provenance.training_rows, less.model.provenance.training_rows);
    }
}

TEST(Weights, ExemptARowOfWeightZeroFromTheCountCheck) {
  data::Table table = mixed_table("number", 100);
  for (std::size_t r = 0; r < 100; ++r) {
    float& y = table.columns[4].numbers[r];
    table.columns[3].numbers[r] = y < 0.0f ? 0.0f : 1.0f;
  }
  auto options = mixed_options("number", {.loss = "poisson"});
  const auto result = fit(table, options);
  options.config.units = 20;
  EXPECT_EQ(grow(result.model, table, options).model.network.units(), 20u);
  options.weight_column = "";
  EXPECT_THROW(fit(table, options), core::DataError);
}

TEST(Weights, MustNotBeZeroForAWholeClass) {
  data::Table table = mixed_table("three", 60);
  for (std::size_t r = 0; r < 60; ++r)
    if (table.columns[4].codes[r] == 2) table.columns[3].numbers[r] = 0.0f;
  EXPECT_EQ(refusal(table, mixed_options("three")),
            "made up: the target 'y' has weight 0 in all rows of the class 'middle'");
}

TEST(Weights, MustLeaveEnoughRows) {
  data::Table table = mixed_table("number", 30);
  table.columns[3].numbers.assign(30, 0.0f);
  table.columns[3].numbers[4] = 1.0f;
  EXPECT_NE(refusal(table, mixed_options("number")).find("at least 2 rows"), std::string::npos);
  table.columns[3].numbers[9] = 1.0f;
  table.columns[4].numbers[9] = table.columns[4].numbers[4];
  EXPECT_EQ(fit(table, mixed_options("number")).model.network.units(), 0u) << "constant in the rows of positive weight";
  auto options = mixed_options("number");
  options.rows = {1, 2, 3};
  table.columns[4].numbers[9] += 1.0f;
  EXPECT_EQ(refusal(table, options), "made up: all rows to train on have weight 0 in weight_column");
}

}  // namespace
}  // namespace accrete::boosting::weights_test
