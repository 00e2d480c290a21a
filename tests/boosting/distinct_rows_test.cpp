#include "accrete/boosting/rows/distinct_rows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "tests/boosting/mixed_table.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting::distinct_rows_test {
namespace {

using Rows = std::vector<std::size_t>;
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// Each row repeated as often as its weight says, in random order, with weight 1.
data::Table repeated(const data::Table& table, std::uint64_t seed) {
  Rows rows;
  const data::Column& weights = table.columns[*table.find("w")];
  for (std::size_t r = 0; r < table.rows(); ++r)
    rows.insert(rows.end(), static_cast<std::size_t>(weights.numbers[r]), r);
  core::Rng(seed, 0, core::Purpose::generator).shuffle(std::span(rows));
  data::Table result = rows_of(table, rows);
  result.columns[*table.find("w")].numbers.assign(rows.size(), 1.0f);
  return result;
}

data::Table shuffled(const data::Table& table, std::uint64_t seed) {
  Rows rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  core::Rng(seed, 0, core::Purpose::generator).shuffle(std::span(rows));
  return rows_of(table, rows);
}

void expect_same(const FitResult& found, const FitResult& wanted, const data::Table& table) {
  const model::Model &a = found.model, &b = wanted.model;
  EXPECT_TRUE(same(a.network, b.network));
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.encoder.inputs(), b.encoder.inputs());
  EXPECT_EQ(a.target_shift, b.target_shift);
  EXPECT_EQ(a.target_scale, b.target_scale);
  EXPECT_EQ(a.provenance.data_fingerprint, b.provenance.data_fingerprint);
  EXPECT_EQ(a.provenance.train_loss, b.provenance.train_loss);
  core::Workers workers(1);
  const auto p = model::predict(a, table, a.network.steps(), workers);
  const auto q = model::predict(b, table, b.network.steps(), workers);
  EXPECT_TRUE(std::ranges::equal(p.flat(), q.flat()));
}

TEST(DistinctRows, AreSortedByValue) {
  using Kind = data::Column::Kind;
  const data::Table table{
      "t",
      {{.name = "a", .numbers = {2, missing, -1, -0.0f, 0, missing, -1}},
       {.name = "b", .kind = Kind::text, .codes = {0, 0, 1, 1, 1, -1, 0}, .levels = {"pear", "apple"}}}};
  core::Matrix<double> targets(7, 1);
  const Rows columns{0, 1};
  Rows rows{6, 5, 4, 3, 2, 1, 0};
  std::vector<double> weights{1, 1, 1, 2, 3, 1, 1};
  merge_equal_rows({table, columns, targets}, rows, weights);
  EXPECT_EQ(rows, (Rows{2, 6, 3, 0, 1, 5}));
  EXPECT_EQ(weights[3], 5.0);

  targets(3, 0) = -1.0;
  rows = {3, 4, 4};
  weights[3] = 2.0;
  merge_equal_rows({table, columns, targets}, rows, weights);
  EXPECT_EQ(rows, (Rows{3, 4})) << "rows with different targets differ";
  EXPECT_EQ(weights[4], 6.0) << "a row listed twice counts twice";
}

TEST(DistinctRows, SumTheirWeightsInAFixedOrder) {
  data::Table table{"t", {{.name = "a", .numbers = std::vector<float>(4, 1.0f)}}};
  const core::Matrix<double> targets(4, 1);
  const Rows columns{0};
  std::vector<double> sums;
  for (Rows order : {Rows{0, 1, 2, 3}, Rows{3, 1, 2, 0}, Rows{2, 3, 0, 1}}) {
    std::vector<double> weights{0.1, 1e16, 0.7, 3.0};
    merge_equal_rows({table, columns, targets}, order, weights);
    ASSERT_EQ(order.size(), 1u);
    sums.push_back(weights[order[0]]);
  }
  EXPECT_EQ(sums[1], sums[0]);
  EXPECT_EQ(sums[2], sums[0]);
}

TEST(DistinctRows, MakeFitsIndependentOfOrderAndRepetition) {
  for (const char* kind : {"binary", "three", "number"})
    for (const config::Config& way :
         {config::Config{.objective = "residual"}, config::Config{.objective = "direct"}, config::Config{.bins = 4},
          kind == std::string("number") ? config::Config{.objective = "projected"}
                                        : config::Config{.class_weight = config::ClassWeights{.balanced = true}}})
      for (const std::size_t rows : {40u, 700u}) {
        SCOPED_TRACE(kind + (" " + config::settings_of(way).front().second) + " " + std::to_string(rows));
        const data::Table table = mixed_table(kind, rows);
        const auto options = mixed_options(kind, way);
        const auto weighted = fit(table, options);
        expect_same(fit(shuffled(table, 1), options), weighted, table);
        expect_same(fit(repeated(table, 2), options), weighted, table);
      }
}

TEST(DistinctRows, MakeWideFitsIndependentOfRepetition) {
  core::Rng rng(11, 0, core::Purpose::generator);
  for (const char* kind : {"binary", "number"}) {
    data::Table table{"made up", std::vector<data::Column>(32)};
    for (std::size_t c = 0; c < 32; ++c) {
      table.columns[c].name = c == 30 ? "w" : c == 31 ? "y" : "x" + std::to_string(c);
      for (std::size_t r = 0; r < 15; ++r)
        table.columns[c].numbers.push_back(c < 30    ? static_cast<float>(rng.uniform())
                                           : c == 30 ? static_cast<float>(r < 5 ? r : rng.below(5))
                                                     : static_cast<float>(rng.below(2)));
    }
    const auto options = mixed_options(kind, {.units = 80});
    expect_same(fit(repeated(table, 3), options), fit(table, options), table);
  }
}

TEST(DistinctRows, MakeGrowthAndCheckpointsIndependentOfOrder) {
  for (const char* kind : {"binary", "number"}) {
    SCOPED_TRACE(kind);
    const data::Table table = mixed_table(kind, 300), other = repeated(table, 4);
    auto options = mixed_options(kind);
    const auto whole = fit(table, options);
    model::Model checkpoint;
    auto half = fit(other, options, [&](const Progress& progress) {
      checkpoint = progress.snapshot();
      return progress.step < 2;
    });
    options.resume = &checkpoint;
    expect_same(fit(table, options), whole, table);
    options.resume = nullptr;
    const auto grown = grow(half.model, table, options);
    expect_same(grown, whole, table);
    EXPECT_TRUE(grown.notes.empty());
  }
}

TEST(DistinctRows, CountTheRowsAsGiven) {
  const data::Table table = repeated(mixed_table("number", 100), 5);
  EXPECT_EQ(fit(table, mixed_options("number")).model.provenance.training_rows, table.rows());
}

TEST(DistinctRows, LowerThePenaltyByTheirTotalWeight) {
  data::Table table = mixed_table("number", 100);
  table.columns[3].numbers.assign(100, 10.0f);
  const auto heavy = fit(table, mixed_options("number", {.alpha = 1}));
  table.columns[3].numbers.assign(100, 1.0f);
  const auto light = fit(table, mixed_options("number", {.alpha = 0.1}));
  ASSERT_EQ(heavy.model.provenance.train_loss.size(), light.model.provenance.train_loss.size());
  for (std::size_t t = 0; t < light.model.provenance.train_loss.size(); ++t)
    EXPECT_NEAR(heavy.model.provenance.train_loss[t], light.model.provenance.train_loss[t], 1e-4);
  EXPECT_NE(heavy.model.provenance.data_fingerprint, light.model.provenance.data_fingerprint);
}

}  // namespace
}  // namespace accrete::boosting::distinct_rows_test
