// Ramps that are looked up, against the reference, which multiplies them out.

#include "accrete/backend/lookup.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encode_parts.hpp"

namespace accrete::backend {
namespace {

constexpr std::size_t rows = 700, bins = 40;

/// Three binned columns, one with gaps, and one that takes three values only: too few for bins of its own.
data::Dataset binned(core::Workers& workers) {
  core::Rng rng(3, 0, core::Purpose::generator);
  data::Table table{"made up", std::vector<data::Column>(4)};
  for (std::size_t c = 0; c < 4; ++c) table.columns[c].name = std::string(1, static_cast<char>('a' + c));
  for (std::size_t r = 0; r < rows; ++r) {
    table.columns[0].numbers.push_back(static_cast<float>(rng.normal()));
    table.columns[1].numbers.push_back(rng.below(7) == 0 ? NAN : static_cast<float>(rng.uniform()));
    table.columns[2].numbers.push_back(static_cast<float>(rng.below(3)));
    table.columns[3].numbers.push_back(static_cast<float>(std::exp(2.0 * rng.normal())));
  }
  std::vector<std::size_t> all(rows), columns{0, 1, 2, 3};
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto encoder = data::Encoder::fit(table, columns, {all}, {.bins = bins});
  const std::span<const std::size_t> parts[] = {all};
  data::Dataset data;
  data.features = std::move(data::encode_parts(encoder, {table}, parts, workers).front());
  data.targets = core::Matrix<double>(rows, 1);
  for (std::size_t r = 0; r < rows; ++r) data.targets(r, 0) = static_cast<double>(rng.below(3));
  for (std::size_t r = 0; r < rows; ++r) data.weights.push_back(static_cast<double>(rng.below(4)) + (r == 0));
  return data;
}

struct Case {
  Fit fit;
  const char* loss;
  std::size_t units, outputs;
  double share;  ///< of the features
  bool some_rows;
};

/// The value, then the gradient, at a point that follows from the case.
std::vector<double> evaluated(const char* backend, const Case& c, const data::Dataset& data, core::Workers& workers) {
  const Source source{data, c.outputs, loss::Loss::named(c.loss), activation::Activation::named("tanh"), workers};
  auto resident = backend_named(backend).make(source);
  resident->start(std::vector<double>(c.outputs, 0.1));
  resident->take_residuals(false);
  const std::size_t width = data.features.cols();
  const auto features = core::Rng(5, c.units, core::Purpose::features)
                            .choose(width, static_cast<std::size_t>(c.share * static_cast<double>(width)));
  const auto drawn = core::Rng(5, c.units, core::Purpose::rows).choose(rows, rows / 2);
  resident->look_at({c.some_rows ? std::span<const std::size_t>(drawn) : std::span<const std::size_t>(), features,
                     c.units, c.fit, 0.1});
  const BlockShape shape{features.size(), c.units, c.outputs};
  std::vector<double> point(c.fit == Fit::projected ? shape.hidden_size() : shape.size()), gradient(point.size());
  core::Rng rng(7, c.units, core::Purpose::weights);
  for (double& p : point) p = 0.3 * rng.normal();
  std::vector<double> result{resident->evaluate(point, gradient)};
  result.insert(result.end(), gradient.begin(), gradient.end());
  return result;
}

constexpr Case cases[] = {{Fit::squares, "squared", 1, 1, 1.0, false},  {Fit::squares, "squared", 4, 1, 0.7, true},
                          {Fit::loss, "softmax", 3, 3, 1.0, false},     {Fit::loss, "softmax", 4, 3, 0.5, false},
                          {Fit::loss, "squared", 6, 1, 0.7, true},      {Fit::projected, "squared", 4, 1, 1.0, false},
                          {Fit::projected, "squared", 8, 1, 0.5, false}};

TEST(Lookup, AgreesWithTheReference) {
  core::Workers workers(2);
  const data::Dataset data = binned(workers);
  for (const Case& c : cases) {
    const auto wanted = evaluated("reference", c, data, workers), found = evaluated("cpu", c, data, workers);
    double largest = 0.0;
    for (std::size_t i = 1; i < wanted.size(); ++i) largest = std::max(largest, std::abs(wanted[i]));
    EXPECT_NEAR(found[0], wanted[0], 1e-6 * wanted[0]) << c.units << ' ' << c.loss;
    for (std::size_t i = 1; i < wanted.size(); ++i)
      ASSERT_NEAR(found[i], wanted[i], 1e-5 * largest) << i << ' ' << c.units << ' ' << c.loss;
  }
}

TEST(Lookup, GivesTheSameBitsWithAnyNumberOfThreads) {
  core::Workers one(1), three(3);
  const data::Dataset data = binned(one);
  for (const Case& c : cases) EXPECT_EQ(evaluated("cpu", c, data, one), evaluated("cpu", c, data, three));
}

TEST(Lookup, TakesColumnsOfManyRampsAndLeavesTheRest) {
  core::Workers one(1);
  const data::Dataset data = binned(one);
  std::vector<std::size_t> all(data.features.cols());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto sources = data.features.sources(all);
  Lookup lookup;
  lookup.look_at(data.features, sources, 4, one);
  EXPECT_EQ(lookup.tables().columns, 3u);
  std::size_t ramps = data::ramps_among(sources);
  for (const std::size_t i : lookup.dense()) ramps -= sources[i].ramped;
  EXPECT_EQ(lookup.dense().size() + ramps, all.size());
  EXPECT_GE(ramps, 3 * (bins - 2));

  lookup.look_at(data.features, std::span(sources).first(8), 4, one);
  EXPECT_TRUE(lookup.empty());
  EXPECT_EQ(lookup.dense().size(), 8u);
}

/// Ramps that reach into each other, which no encoder makes, would be two on their way at once.
TEST(Lookup, LeavesRampsThatOverlap) {
  core::Workers one(1);
  core::TiledMatrix numbers(64, 1);
  std::vector<data::FeatureSource> sources;
  for (int m = 0; m < 20; ++m) sources.push_back({0, true, {0.5f * static_cast<float>(m), 1.0f, 0.0f, 1.0f}});
  const data::Features features(std::move(numbers), sources);
  Lookup lookup;
  lookup.look_at(features, sources, 1, one);
  EXPECT_TRUE(lookup.empty());
}

}  // namespace
}  // namespace accrete::backend
