// Lookup tables of the CPU backend against the reference, which computes every ramp and level.

#include "accrete/network/lookup.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"

namespace accrete::backend::lookup_test {
namespace {

constexpr std::size_t rows = 700, bins = 40, levels = 30;

/// A dataset and the first feature of each of its columns.
struct MixedData {
  data::Dataset dataset;
  std::vector<std::size_t> column_starts;
};

/// Three binned columns, one with missing values, one column with three distinct values, and a category of 30 levels
/// with missing values. coarse: all numbers are knots, so that rounding to the grid does not change them.
MixedData mixed_data(core::Workers& workers, bool coarse = false, std::optional<std::size_t> max_expanded = {}) {
  const auto number = [&](double x) { return static_cast<float>(coarse ? std::floor(4.0 * x) / 4.0 : x); };
  core::Rng rng(3, 0, core::Purpose::generator);
  data::Table table{"random", std::vector<data::Column>(5)};
  for (std::size_t c = 0; c < 5; ++c) table.columns[c].name = std::string(1, static_cast<char>('a' + c));
  for (std::size_t r = 0; r < rows; ++r) {
    table.columns[0].numbers.push_back(number(rng.normal()));
    table.columns[1].numbers.push_back(rng.below(7) == 0 ? NAN : number(5.0 * rng.uniform()));
    table.columns[2].numbers.push_back(static_cast<float>(rng.below(3)));
    table.columns[3].numbers.push_back(number(std::min(5.0, std::exp(rng.normal()))));
    table.columns[4].codes.push_back(static_cast<std::int32_t>(rng.below(levels + 1)) - 1);
  }
  table.columns[4].kind = data::Column::Kind::text;
  for (std::size_t l = 0; l < levels; ++l) table.columns[4].levels.push_back("level " + std::to_string(l));
  std::vector<std::size_t> all(rows), columns{0, 1, 2, 3, 4};
  std::iota(all.begin(), all.end(), std::size_t{0});
  MixedData result;
  data::Dataset& data = result.dataset;
  data.targets = core::Matrix<double>(rows, 1);
  for (std::size_t r = 0; r < rows; ++r) data.targets(r, 0) = static_cast<double>(rng.below(3));
  const auto encoder = data::Encoder::fit(table, columns, {all, {}, {&data.targets, 0}}, {.bins = bins});
  const std::span<const std::size_t> parts[] = {all};
  for (const data::ColumnEncoding& column : encoder.columns()) result.column_starts.push_back(column.first());
  data.features =
      std::move(data::encode_subsets(encoder, {table}, parts, workers, {.max_expanded = max_expanded}).front());
  for (std::size_t r = 0; r < rows; ++r) data.weights.push_back(static_cast<double>(rng.below(4)) + (r == 0));
  return result;
}

struct LookupCase {
  StepObjective objective;
  const char* loss;
  std::size_t units, outputs;
  double column_share;
  bool subset;  ///< half of the rows
};

/// All features of a random share of the columns.
std::vector<std::size_t> drawn_features(const LookupCase& c, std::span<const std::size_t> starts, std::size_t width) {
  std::vector<std::size_t> features;
  const auto count = static_cast<std::size_t>(std::ceil(c.column_share * static_cast<double>(starts.size())));
  for (const std::size_t g : core::Rng(5, c.units, core::Purpose::features).choose(starts.size(), count))
    for (std::size_t f = starts[g]; f < (g + 1 < starts.size() ? starts[g + 1] : width); ++f) features.push_back(f);
  return features;
}

/// Value, then gradient, at a random point of the case.
std::vector<double> evaluate_case(const char* backend, const LookupCase& c, const MixedData& mixed,
                                  core::Workers& workers) {
  const auto& [data, column_starts] = mixed;
  const TrainingProblem problem{.dataset = data,
                                .outputs = c.outputs,
                                .loss = loss::Loss::named(c.loss),
                                .activation = activation::Activation::named("tanh"),
                                .workers = workers};
  auto resident = backend_named(backend).make(problem);
  resident->reset_scores(std::vector<double>(c.outputs, 0.1));
  resident->compute_residuals(false);
  const auto features = drawn_features(c, column_starts, data.features.cols());
  const auto drawn = core::Rng(5, c.units, core::Purpose::rows).choose(rows, rows / 2);
  resident->set_view({.rows = c.subset ? std::span<const std::size_t>(drawn) : std::span<const std::size_t>(),
                      .features = features,
                      .units = c.units,
                      .objective = c.objective,
                      .alpha = 0.1});
  const BlockShape shape{features.size(), c.units, c.outputs};
  std::vector<double> point(c.objective == StepObjective::projected ? shape.hidden_size() : shape.size()),
      gradient(point.size());
  core::Rng rng(7, c.units, core::Purpose::weights);
  for (double& p : point) p = 0.3 * rng.normal();
  std::vector<double> result{resident->evaluate(point, gradient)};
  result.insert(result.end(), gradient.begin(), gradient.end());
  return result;
}

constexpr LookupCase cases[] = {
    {.objective = StepObjective::squared_error,
     .loss = "squared",
     .units = 1,
     .outputs = 1,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::squared_error,
     .loss = "squared",
     .units = 4,
     .outputs = 1,
     .column_share = 0.7,
     .subset = true},
    {.objective = StepObjective::loss,
     .loss = "softmax",
     .units = 3,
     .outputs = 3,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::loss,
     .loss = "softmax",
     .units = 4,
     .outputs = 3,
     .column_share = 0.5,
     .subset = false},
    {.objective = StepObjective::loss,
     .loss = "squared",
     .units = 6,
     .outputs = 1,
     .column_share = 0.7,
     .subset = true},
    {.objective = StepObjective::projected,
     .loss = "squared",
     .units = 4,
     .outputs = 1,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::projected,
     .loss = "squared",
     .units = 8,
     .outputs = 1,
     .column_share = 0.5,
     .subset = false},
    {.objective = StepObjective::projected,
     .loss = "squared",
     .units = 16,
     .outputs = 1,
     .column_share = 1.0,
     .subset = false},
    {.objective = StepObjective::loss,
     .loss = "softmax",
     .units = 23,
     .outputs = 3,
     .column_share = 1.0,
     .subset = true},
};

TEST(LookupLayer, AgreesWithTheReference) {
  core::Workers workers(2);
  const MixedData data = mixed_data(workers);
  for (const LookupCase& c : cases) {
    const auto wanted = evaluate_case("reference", c, data, workers), found = evaluate_case("cpu", c, data, workers);
    double largest = 0.0;
    for (std::size_t i = 1; i < wanted.size(); ++i) largest = std::max(largest, std::abs(wanted[i]));
    EXPECT_NEAR(found[0], wanted[0], 1e-6 * wanted[0]) << c.units << ' ' << c.loss;
    for (std::size_t i = 1; i < wanted.size(); ++i)
      ASSERT_NEAR(found[i], wanted[i], 1e-5 * largest) << i << ' ' << c.units << ' ' << c.loss;
  }
}

/// In lookup storage a column is its codes; expanded it is a stored column per bin or level, in dense kernels.
TEST(LookupLayer, CodesEqualOneHotColumns) {
  core::Workers one(1);
  const MixedData codes = mixed_data(one, true), one_hot = mixed_data(one, true, std::size_t{1} << 30);
  ASSERT_EQ(codes.dataset.features.stored().cols(), 5u);
  ASSERT_EQ(one_hot.dataset.features.stored().cols(), one_hot.dataset.features.cols());
  for (const LookupCase& c : cases) {
    const auto wanted = evaluate_case("cpu", c, one_hot, one), found = evaluate_case("cpu", c, codes, one);
    double largest = 0.0;
    for (std::size_t i = 1; i < wanted.size(); ++i) largest = std::max(largest, std::abs(wanted[i]));
    for (std::size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(found[i], wanted[i], 1e-5 * largest + 1e-6) << i;
  }
}

TEST(LookupLayer, BitsDoNotDependOnTheNumberOfThreads) {
  core::Workers one(1), three(3);
  const MixedData data = mixed_data(one);
  for (const LookupCase& c : cases) EXPECT_EQ(evaluate_case("cpu", c, data, one), evaluate_case("cpu", c, data, three));
}

/// A chunk clears and adds up a sum per table entry, which pays only if it has many rows per entry.
TEST(LookupLayer, ChunksHaveManyRowsPerTableEntry) {
  constexpr std::size_t many_levels = 3000;
  std::vector<data::FeatureSource> sources;
  for (std::size_t l = 0; l < many_levels; ++l)
    sources.push_back({0, data::FeatureKind::level, {static_cast<float>(l), 1.0f, 0.0f, 1.0f}});
  const data::Features x(core::TiledMatrix(1, 1), sources, {0});
  const auto chunks = [&](std::size_t all_rows) { return RowChunks(x, all_rows, comm::one_process()).count(); };
  EXPECT_EQ(chunks(100'000), min_lookup_chunks);
  EXPECT_NEAR(static_cast<double>(chunks(20 * adds_per_entry * many_levels)), 20.0, 1.0);
  EXPECT_EQ(chunks(10'000'000), max_lookup_chunks);
}

/// The column of three values has five positions and two more codes, as many as the category besides its levels.
TEST(LookupLayer, SharesATableBetweenColumnsOfFewCodes) {
  core::Workers one(1);
  const data::Dataset data = mixed_data(one).dataset;
  std::vector<std::size_t> all(data.features.cols());
  std::iota(all.begin(), all.end(), std::size_t{0});
  network::LookupLayer lookup;
  lookup.build(data.features.sources(all), 4);
  EXPECT_TRUE(lookup.dense().empty());
  EXPECT_EQ(lookup.tables().count, 4u);
  EXPECT_EQ(lookup.tables().starts[1], 7u * (levels + 2) * 4u);
}

/// Ramps of raw numbers may have knots that look like positions; a part of a column's ramps has no table.
TEST(LookupLayer, LeavesOtherRampsToTheDenseKernels) {
  std::vector<data::FeatureSource> sources;
  for (int m = 0; m < 20; ++m)
    sources.push_back({0, data::FeatureKind::ramp, {2.0f * static_cast<float>(m), 1.0f, 0.0f, 2.0f}});
  network::LookupLayer lookup;
  lookup.build(sources, 1);
  EXPECT_TRUE(lookup.empty());
  for (data::FeatureSource& source : sources) source.kind = data::FeatureKind::grid_ramp;
  lookup.build(sources, 1);
  EXPECT_TRUE(lookup.dense().empty());
  lookup.build(std::span(sources).subspan(1), 1);
  EXPECT_EQ(lookup.dense().size(), 19u);
}

}  // namespace
}  // namespace accrete::backend::lookup_test
