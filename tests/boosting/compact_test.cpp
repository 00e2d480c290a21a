// Fits on binned columns: few rows, where ramps are stored; many rows, where they are computed; and many bins, where
// they are lookup tables.

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/boosting/encode.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"
#include "accrete/model/model.hpp"
#include "tests/boosting/samples.hpp"
#include "tests/config/with_defaults.hpp"

namespace accrete::boosting::compact_test {
namespace {

constexpr std::size_t few_bins = 10, many_bins = 40, few_rows = 300, many_rows = 16'000;

struct Size {
  std::size_t bins, rows;
};
constexpr Size sizes[] = {{few_bins, few_rows}, {few_bins, many_rows}, {many_bins, 2'000}};

/// coarse: numbers in steps of 1/4, few enough to be knots of many bins, which rounding to half a bin keeps.
data::Table make_table(std::size_t rows, bool coarse = false) {
  const auto number = [&](double x) { return static_cast<float>(coarse ? std::round(4.0 * x) / 4.0 : x); };
  core::Rng rng(6, rows, core::Purpose::generator);
  data::Table table{"made up", std::vector<data::Column>(4)};
  const char* names[] = {"a", "b", "c", "target"};
  for (std::size_t c = 0; c < 4; ++c) table.columns[c].name = names[c];
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.uniform(), c = 100.0 + rng.normal();
    table.columns[0].numbers.push_back(number(a));
    table.columns[1].numbers.push_back(rng.below(20) == 0 ? NAN : number(4.0 * b));
    table.columns[2].numbers.push_back(number(c));
    table.columns[3].numbers.push_back(static_cast<float>(std::sin(3.0 * a) + b * (c - 100.0)));
  }
  return table;
}

FitOptions options_with(std::size_t bins, const config::Config& more, core::Workers& workers) {
  FitOptions options;
  options.task = data::Task::regression;
  options.workers = &workers;
  options.config = with_defaults(
      more, {.units = 8, .units_per_step = 2, .learning_rate = 0.1, .bins = bins, .max_iter = 20, .automatic = false});
  return options;
}

TEST(CompactFit, CoversBothSidesOfTheStorageLimits) {
  const std::size_t row_bytes = (3 * (1 + few_bins) + 1) * sizeof(float);
  EXPECT_LT(few_rows * row_bytes, data::max_expanded_bytes);
  EXPECT_GT(many_rows * row_bytes, data::max_expanded_bytes);
  EXPECT_LT(few_bins, data::min_lookup_bins);
  EXPECT_GT(many_bins, data::min_lookup_bins);
}

TEST(CompactFit, PredictsTheTrainingLoss) {
  core::Workers workers(1);
  for (const auto& [bins, rows] : sizes) {
    const data::Table table = make_table(rows, bins >= data::min_lookup_bins);
    const FitResult result = fit(table, options_with(bins, {}, workers));
    const auto predictions = model::predict(result.model, table, result.model.network.steps(), workers);
    double squares = 0.0;
    for (std::size_t r = 0; r < rows; ++r) squares += std::pow(predictions(r, 0) - table.columns[3].numbers[r], 2);
    const double wanted = result.model.provenance.train_loss.back();
    EXPECT_NEAR(0.5 * squares / static_cast<double>(rows), wanted, 1e-5 * wanted) << rows;
  }
}

TEST(CompactFit, GrowsToTheBitsOfASingleFit) {
  core::Workers workers(1);
  for (const char* objective : {"projected", "direct"})
    for (const auto& [bins, rows] : sizes) {
      const data::Table table = make_table(rows);
      const FitResult whole = fit(table, options_with(bins, {.objective = objective}, workers));
      const FitResult half = fit(table, options_with(bins, {.units = 4, .objective = objective}, workers));
      FitOptions more = options_with(bins, {}, workers);
      more.config = {.units = 8};
      const FitResult grown = grow(half.model, table, more);
      EXPECT_TRUE(same(grown.model.network, whole.model.network)) << objective << ' ' << rows;
      EXPECT_EQ(grown.model.provenance.train_loss, whole.model.provenance.train_loss);
      EXPECT_TRUE(grown.notes.empty());
    }
}

/// Covers row subsampling, mini-batches and a validation set.
TEST(CompactFit, DoesNotDependOnThreadsHoweverRowsAreDrawn) {
  const std::vector<config::Config> kinds{{.subsample = 0.5, .validation_fraction = 0.2},
                                          {.objective = "direct", .solver = "adam", .max_iter = 3, .batch_size = 500},
                                          {.objective = "residual", .solver = "sgd", .max_iter = 3, .batch_size = 300}};
  for (const std::size_t bins : {few_bins, many_bins}) {
    const data::Table table = make_table(bins == few_bins ? many_rows : 6'000);
    for (const auto& kind : kinds) {
      core::Workers one(1), three(3);
      const FitResult single = fit(table, options_with(bins, kind, one));
      const FitResult many = fit(table, options_with(bins, kind, three));
      EXPECT_TRUE(same(single.model.network, many.model.network));
      EXPECT_EQ(single.model.provenance.train_loss, many.model.provenance.train_loss);
      const auto& curve = single.model.provenance.train_loss;
      EXPECT_LT(curve.back(), curve.front());
    }
  }
}

TEST(CompactFit, HasOneFingerprintAndOneFitForBothStorages) {
  const data::Table table = make_table(many_rows);
  const auto rows = all_rows(many_rows);
  const std::size_t columns[] = {0, 1, 2};
  const auto encoder = data::Encoder::fit(table, columns, {rows}, {.bins = few_bins});
  const std::span<const std::size_t> parts[] = {rows};
  core::Workers workers(1);
  Sample samples[2];
  for (const std::size_t i : {0, 1}) {
    data::Dataset& data = samples[i].data;
    data.features = std::move(
        data::encode_subsets(encoder, {table}, parts, workers, {.max_expanded = i == 0 ? 0 : std::size_t{1} << 40})
            .front());
    data.targets = core::Matrix<double>(many_rows, 1);
    for (std::size_t r = 0; r < many_rows; ++r) data.targets(r, 0) = table.columns[3].numbers[r];
    data.weights.assign(many_rows, 1.0);
  }
  EXPECT_LT(samples[0].data.features.stored().cols(), samples[1].data.features.stored().cols());
  EXPECT_EQ(fingerprint(samples[0].data), fingerprint(samples[1].data));
  for (const char* objective : {"projected", "direct", "residual"}) {
    const config::ResolvedConfig config = config_of({"number", objective}, samples[0], {.units = 6, .subsample = 0.7});
    const auto compact = train_on(samples[0], config), whole = train_on(samples[1], config);
    EXPECT_TRUE(same(compact.network, whole.network)) << objective;
    EXPECT_EQ(compact.curves.train, whole.curves.train);
  }
}

/// A category of 30 levels is the only column: no dense feature is left, and 16 units of 30 levels are dependent.
TEST(CompactFit, FitsASingleCategoryOfManyLevels) {
  data::Table table{"made up", std::vector<data::Column>(2)};
  table.columns[0] = {.name = "level", .kind = data::Column::Kind::text};
  table.columns[1].name = "target";
  for (int l = 0; l < 30; ++l) table.columns[0].levels.push_back("l" + std::to_string(l));
  for (std::int32_t r = 0; r < 3000; ++r) {
    table.columns[0].codes.push_back(r % 30);
    table.columns[1].numbers.push_back(static_cast<float>((r % 30) * (r % 30)));
  }
  core::Workers workers(1);
  for (const std::size_t units : {2u, 16u}) {
    const FitResult result = fit(
        table,
        options_with(0, {.units = 3 * units, .units_per_step = units, .learning_rate = 1.0, .alpha = 1e-4}, workers));
    const auto& loss = result.model.provenance.train_loss;
    EXPECT_LT(loss.back(), 0.05 * loss.front()) << units;
  }
}

}  // namespace
}  // namespace accrete::boosting::compact_test
