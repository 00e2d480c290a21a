// Lookup tables of the CPU backend against the reference, which computes every ramp and level.

#include "accrete/network/lookup.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/network/network.hpp"
#include "tests/backend/lookup_cases.hpp"

namespace accrete::backend::lookup_test {
namespace {

std::vector<double> evaluate_cpu(const LookupCase& c, const MixedData& data, core::Workers& workers) {
  return evaluate_case([](const TrainingProblem& problem) { return make_cpu_rows(problem); }, c, data, workers);
}

TEST(LookupLayer, AgreesWithTheReference) {
  core::Workers workers(2);
  const MixedData data = mixed_data(workers);
  for (const LookupCase& c : cases) {
    SCOPED_TRACE(std::to_string(c.units) + " units, " + c.loss);
    expect_close(evaluate_cpu(c, data, workers), evaluate_case(make_reference_rows, c, data, workers));
  }
}

/// In lookup storage a column is its codes; expanded it is a stored column per bin or level, in dense kernels.
TEST(LookupLayer, CodesEqualOneHotColumns) {
  core::Workers one(1);
  const MixedData codes = mixed_data(one, true), one_hot = mixed_data(one, true, std::size_t{1} << 30);
  ASSERT_EQ(codes.dataset.features.stored().cols(), 6u);
  ASSERT_EQ(one_hot.dataset.features.stored().cols(), one_hot.dataset.features.cols());
  for (const LookupCase& c : cases) {
    const auto wanted = evaluate_cpu(c, one_hot, one), found = evaluate_cpu(c, codes, one);
    double largest = 0.0;
    for (std::size_t i = 1; i < wanted.size(); ++i) largest = std::max(largest, std::abs(wanted[i]));
    for (std::size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(found[i], wanted[i], 1e-5 * largest + 1e-6) << i;
  }
}

TEST(LookupLayer, BitsDoNotDependOnTheNumberOfThreads) {
  core::Workers one(1), three(3);
  const MixedData data = mixed_data(one);
  for (const LookupCase& c : cases) EXPECT_EQ(evaluate_cpu(c, data, one), evaluate_cpu(c, data, three));
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

/// The column of three values has five positions and two more codes, as many as the category besides its levels. The
/// column of two values is a plain feature.
TEST(LookupLayer, SharesATableBetweenColumnsOfFewCodes) {
  core::Workers one(1);
  const data::Dataset data = mixed_data(one).dataset;
  std::vector<std::size_t> all(data.features.cols());
  std::iota(all.begin(), all.end(), std::size_t{0});
  network::LookupLayer lookup;
  lookup.build(data.features.sources(all), 4);
  EXPECT_EQ(lookup.dense().size(), 1u);
  EXPECT_EQ(lookup.tables().count, 4u);
  EXPECT_EQ(lookup.tables().starts[1], 7u * (levels + 2) * 4u);
}

constexpr std::size_t level_counts[] = {8, 10, 12, 14};

/// Four categories. Two of them fit into a shared table.
data::Dataset four_categories() {
  core::Rng rng(1, 0, core::Purpose::generator);
  core::TiledMatrix codes(rows, std::size(level_counts));
  std::vector<data::FeatureSource> sources;
  std::vector<std::size_t> starts;
  for (std::size_t c = 0; c < std::size(level_counts); ++c) {
    starts.push_back(sources.size());
    for (std::size_t l = 0; l < level_counts[c]; ++l)
      sources.push_back({c, data::FeatureKind::level, {static_cast<float>(l), 1.0f, 0.0f, 1.0f}});
    for (std::size_t r = 0; r < rows; ++r) codes.at(r, c) = static_cast<float>(rng.below(level_counts[c]));
  }
  return {.features = data::Features(std::move(codes), sources, starts),
          .targets = core::Matrix<double>(rows, 1),
          .weights = std::vector<double>(rows, 1.0)};
}

/// A network returns a block with all features, of which the step drew some. The columns of weight 0 must not change
/// which others share a table, or a network that grows would not replay to the scores of its fit: the first column
/// shares one with the third if the second is not drawn, so the third does not with the fourth.
TEST(LookupLayer, AReplayedBlockHasTheBitsOfTheDrawnOne) {
  core::Workers one(1);
  const data::Dataset data = four_categories();
  const TrainingProblem problem{.dataset = data,
                                .outputs = 1,
                                .loss = loss::Loss::named("squared"),
                                .activation = activation::Activation::named("tanh"),
                                .workers = one};
  const auto scores_after = [&](const network::Block& block, const network::Network& network) {
    const auto resident = make_cpu_rows(problem);
    resident->reset_scores(network.bias_after(0));
    resident->add_block(block, network.bias_after(1));
    const core::Matrix<double> scores = resident->scores();
    return std::vector<double>(scores.flat().begin(), scores.flat().end());
  };
  std::vector<std::size_t> drawn(8 + 12 + 14);  // without the second column
  for (std::size_t f = 0; f < drawn.size(); ++f) drawn[f] = f < 8 ? f : f + 10;
  const BlockShape shape{drawn.size(), 5, 1};
  std::vector<double> parameters(shape.size());
  core::Rng rng(1, 0, core::Purpose::weights);
  for (double& p : parameters) p = rng.normal();
  const network::Block block = make_block(shape, drawn, parameters, std::vector{1.0});
  network::Network network(data.features.cols(), problem.activation, std::vector{0.0});
  network.append(block);
  EXPECT_EQ(scores_after(block, network), scores_after(network.block(0), network));
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
