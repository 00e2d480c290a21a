// Fits on binned numbers: with so few rows that the ramps are stored, with so many that they are not, and with so many
// bins that they are looked up.

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encode_parts.hpp"
#include "accrete/model/model.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting {
namespace {

constexpr std::size_t few_bins = 10, many_bins = 40, few_rows = 300, many_rows = 16'000;

struct Size {
  std::size_t bins, rows;
};
constexpr Size sizes[] = {{few_bins, few_rows}, {few_bins, many_rows}, {many_bins, 2'000}};

data::Table make_table(std::size_t rows) {
  core::Rng rng(6, rows, core::Purpose::generator);
  data::Table table{"made up", std::vector<data::Column>(4)};
  const char* names[] = {"a", "b", "c", "target"};
  for (std::size_t c = 0; c < 4; ++c) table.columns[c].name = names[c];
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.uniform(), c = 100.0 + rng.normal();
    table.columns[0].numbers.push_back(static_cast<float>(a));
    table.columns[1].numbers.push_back(rng.below(20) == 0 ? NAN : static_cast<float>(b));
    table.columns[2].numbers.push_back(static_cast<float>(c));
    table.columns[3].numbers.push_back(static_cast<float>(std::sin(3.0 * a) + b * (c - 100.0)));
  }
  return table;
}

FitOptions options_with(std::size_t bins, std::vector<Setting> more, core::Workers& workers) {
  FitOptions options;
  options.task = data::Task::regression;
  options.workers = &workers;
  options.overrides = {
      {"bins", std::to_string(bins)}, {"units", "8"}, {"units_per_step", "2"}, {"max_iter", "20"}, {"auto", "off"},
      {"learning_rate", "0.1"}};
  options.overrides.insert(options.overrides.end(), more.begin(), more.end());
  return options;
}

TEST(CompactFit, TheSizesLieOnEitherSideOfTheLimit) {
  const std::size_t row_bytes = (3 * (1 + few_bins) + 1) * sizeof(float);
  EXPECT_LT(few_rows * row_bytes, data::most_whole_bytes);
  EXPECT_GT(many_rows * row_bytes, data::most_whole_bytes);
  EXPECT_LT(few_bins, data::bins_looked_up);
  EXPECT_GT(many_bins, data::bins_looked_up);
}

TEST(CompactFit, PredictsWhatTrainingLeft) {
  core::Workers workers(1);
  for (const auto& [bins, rows] : sizes) {
    const data::Table table = make_table(rows);
    const FitResult result = fit(table, options_with(bins, {}, workers));
    const auto predictions = model::predict(result.model, table, result.model.network.steps(), workers);
    double squares = 0.0;
    for (std::size_t r = 0; r < rows; ++r) squares += std::pow(predictions(r, 0) - table.columns[3].numbers[r], 2);
    const double wanted = result.model.provenance.train_loss.back();
    EXPECT_NEAR(0.5 * squares / static_cast<double>(rows), wanted, 1e-5 * wanted) << rows;
  }
}

TEST(CompactFit, GrowsToTheBitsOfOneGo) {
  core::Workers workers(1);
  for (const char* objective : {"projected", "direct"})
    for (const auto& [bins, rows] : sizes) {
      const data::Table table = make_table(rows);
      const FitResult whole = fit(table, options_with(bins, {{"objective", objective}}, workers));
      const FitResult half = fit(table, options_with(bins, {{"objective", objective}, {"units", "4"}}, workers));
      FitOptions more = options_with(bins, {}, workers);
      more.overrides = {{"units", "8"}};
      const FitResult grown = grow(half.model, table, more);
      EXPECT_TRUE(same(grown.model.network, whole.model.network)) << objective << ' ' << rows;
      EXPECT_EQ(grown.model.provenance.train_loss, whole.model.provenance.train_loss);
      EXPECT_TRUE(grown.notes.empty());
    }
}

/// Rows drawn for a step, batches of a stochastic solver, a validation part: with any number of threads.
TEST(CompactFit, BitsDoNotDependOnThreadsHoweverRowsAreDrawn) {
  const std::vector<std::vector<Setting>> kinds{
      {{"subsample", "0.5"}, {"validation_fraction", "0.2"}},
      {{"solver", "adam"}, {"batch_size", "500"}, {"max_iter", "3"}, {"objective", "direct"}},
      {{"solver", "sgd"}, {"batch_size", "300"}, {"max_iter", "3"}, {"objective", "residual"}}};
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

TEST(CompactFit, RowsHaveOneFingerprintAndOneFit) {
  const data::Table table = make_table(many_rows);
  const auto rows = all_rows(many_rows);
  const std::size_t columns[] = {0, 1, 2};
  const auto encoder = data::Encoder::fit(table, columns, {rows}, {.bins = few_bins});
  const std::span<const std::size_t> parts[] = {rows};
  core::Workers workers(1);
  Sample samples[2];
  for (const std::size_t i : {0, 1}) {
    data::Dataset& data = samples[i].data;
    data.features =
        std::move(data::encode_parts(encoder, {table}, parts, workers, i == 0 ? 0 : std::size_t{1} << 40).front());
    data.targets = core::Matrix<double>(many_rows, 1);
    for (std::size_t r = 0; r < many_rows; ++r) data.targets(r, 0) = table.columns[3].numbers[r];
    data.weights.assign(many_rows, 1.0);
  }
  EXPECT_LT(samples[0].data.features.stored().cols(), samples[1].data.features.stored().cols());
  EXPECT_EQ(fingerprint(samples[0].data), fingerprint(samples[1].data));
  for (const char* objective : {"projected", "direct", "residual"}) {
    const Config config = config_of({"number", objective}, samples[0], {{"subsample", "0.7"}, {"units", "6"}});
    const auto compact = train_on(samples[0], config), whole = train_on(samples[1], config);
    EXPECT_TRUE(same(compact.network, whole.network)) << objective;
    EXPECT_EQ(compact.curves.train, whole.curves.train);
  }
}

}  // namespace
}  // namespace accrete::boosting
