#include "accrete/boosting/dial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "accrete/baseline/fit.hpp"
#include "accrete/boosting/dial/choose_exits.hpp"
#include "accrete/boosting/dial/risk_control.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/split.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/predict_exit.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::boosting::dial_test {
namespace {

enum class Target { number, two, three };

/// Four numbers; a smooth function of them with noise, or its classes.
data::Table make_table(std::size_t rows, std::uint64_t seed, Target target) {
  data::Table table{.source = "made up", .columns = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "y"}}};
  core::Rng rng(seed, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.normal(), c = rng.normal();
    const double y = 2.0 * a + std::sin(2.0 * b) + 0.5 * b * c + 0.5 * rng.normal();
    for (const auto& [column, value] : {std::pair{0u, a}, {1u, b}, {2u, c}})
      table.columns[column].numbers.push_back(static_cast<float>(value));
    table.columns[3].numbers.push_back(static_cast<float>(target == Target::number ? y
                                                          : target == Target::two  ? (y > 0.0 ? 1.0 : 0.0)
                                                          : y < -1.0               ? 0.0
                                                          : y < 1.0                ? 1.0
                                                                                   : 2.0));
  }
  return table;
}

core::Workers& one() {
  static core::Workers workers(1);
  return workers;
}

FitOptions fit_options(Target target, std::size_t units = 96) {
  FitOptions options;
  options.task = target == Target::number ? data::Task::regression
                 : target == Target::two  ? data::Task::binary
                                          : data::Task::multiclass;
  options.config.units = units;
  options.config.units_per_step = 4;
  options.config.learning_rate = 0.3;
  options.config.max_iter = 4;
  options.config.automatic = false;
  options.workers = &one();
  return options;
}

const model::Model& model_of(Target target) {
  static const model::Model models[] = {fit(make_table(600, 1, Target::number), fit_options(Target::number)).model,
                                        fit(make_table(600, 1, Target::two), fit_options(Target::two)).model,
                                        fit(make_table(600, 1, Target::three), fit_options(Target::three)).model};
  return models[static_cast<std::size_t>(target)];
}

/// The share of rows whose prediction with early exit is not that of all units.
double disagreement_of(const model::Model& model, const data::Table& table) {
  const auto early = model::predict_exit(model, table, one()).values;
  const auto full = model::predict(model, table, model.network.steps(), one());
  std::size_t differ = 0;
  for (std::size_t r = 0; r < full.rows(); ++r) {
    const bool other = model.classes.empty()
                           ? model::movement(early.row(r), full.row(r), model.early_exit.tolerances) > 1.0
                           : model::best_class(early.row(r)) != model::best_class(full.row(r));
    differ += other ? 1 : 0;
  }
  return static_cast<double>(differ) / static_cast<double>(full.rows());
}

TEST(Dial, KeepsThePromiseOnNewRowsAsOftenAsItSays) {
  for (const auto& [target, tolerance] : {std::pair{Target::two, 0.0}, {Target::three, 0.0}, {Target::number, 0.5}}) {
    model::Model model = model_of(target);
    const data::Table fresh = make_table(20'000, 2, target);
    const DialOptions options{.disagreement = 0.02, .confidence = 0.9, .tolerance = tolerance};
    constexpr int draws = 60;
    int broken = 0;
    double units = 0.0;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      model.early_exit = find_exits(model, make_table(800, 100 + draw, target), options, one());
      units += model.early_exit.mean_units / draws;
      broken += disagreement_of(model, fresh) > options.disagreement ? 1 : 0;
    }
    // 6 are expected; 13 or more have a probability of 0.5 %.
    EXPECT_LE(broken, 12) << static_cast<int>(target);
    EXPECT_LT(units, target == Target::number ? 90.0 : 70.0) << static_cast<int>(target);
  }
}

TEST(Dial, RecordsWhatTheTestedRowsShow) {
  model::Model model = model_of(Target::two);
  const data::Table table = make_table(2'000, 5, Target::two);
  model.early_exit = find_exits(model, table, {.disagreement = 0.01, .confidence = 0.9}, one());
  EXPECT_EQ(model.early_exit.rows, 1'500);
  EXPECT_LE(model.early_exit.differed, 15);
  ASSERT_FALSE(model.early_exit.exits.empty());
  const auto found = model::predict_exit(model, table, one());
  EXPECT_NEAR(found.mean_units(), model.early_exit.mean_units, 5.0);  // a quarter of the rows only learnt
}

TEST(Dial, NeedsNoTargets) {
  data::Table table = make_table(1'000, 5, Target::three), bare = table;
  bare.columns.pop_back();
  const DialOptions options{.disagreement = 0.02, .confidence = 0.9};
  EXPECT_EQ(find_exits(model_of(Target::three), table, options, one()),
            find_exits(model_of(Target::three), bare, options, one()));
}

TEST(Dial, StrongerPromisesTakeMoreUnits) {
  const data::Table table = make_table(6'000, 5, Target::two);
  const auto units = [&](double disagreement) {
    return find_exits(model_of(Target::two), table, {.disagreement = disagreement, .confidence = 0.95}, one())
        .mean_units;
  };
  EXPECT_LT(units(0.05), units(0.002));
}

TEST(Dial, TriesFewExitsAtWholeGroupsOfUnits) {
  const network::Network& network = model_of(Target::two).network;
  std::vector<std::size_t> units;
  for (const std::size_t steps : regression_exits(network)) units.push_back(network.units_after(steps));
  EXPECT_EQ(units, (std::vector<std::size_t>{16, 48, 64}));
  network::Network tiny = network;
  tiny.truncate(3);
  EXPECT_EQ(regression_exits(tiny), (std::vector<std::size_t>{1, 2}));
  tiny.truncate(1);
  EXPECT_TRUE(regression_exits(tiny).empty());
}

/// A classifier chooses from exits that are close to each other, most of all at the beginning.
TEST(Dial, OffersExitsAtMostAnEighthOfTheUnitsApart) {
  network::Network network(1, activation::Activation::named("tanh"), std::vector{0.0});
  for (int step = 0; step < 64; ++step)
    network.append({.units = 16,
                    .outputs = 1,
                    .features = {0},
                    .hidden_weights = std::vector<float>(16),
                    .hidden_bias = std::vector<float>(16),
                    .output_weights = std::vector<float>(16),
                    .output_bias = {0.0}});
  const std::vector<std::size_t> grid = exit_grid(network);
  EXPECT_EQ(grid.front(), 1u);
  for (std::size_t e = 1; e < grid.size(); ++e) {
    EXPECT_GT(grid[e], grid[e - 1]);
    EXPECT_LE(grid[e], std::min(2 * grid[e - 1], grid[e - 1] + 8));
  }
  EXPECT_LT(grid.back(), 64u);
  EXPECT_GE(grid.back(), 56u);
  EXPECT_LT(grid.size(), 32u) << "every exit is tried with every other";
}

TEST(Dial, ChoosesTheExitsThatSaveMoreThanTheyCost) {
  // 100 rows; all units are 400. At the first exit nobody may stop, at the second nine in ten, at the third one more.
  ExitEvidence evidence{
      core::Matrix<double>(3, 100), core::Matrix<double>(3, 100), core::Matrix<std::uint8_t>(3, 100), {}};
  for (std::size_t r = 0; r < 100; ++r)
    for (std::size_t e = 0; e < 3; ++e) {
      const bool settled = (e > 0 && r < 90) || (e == 2 && r == 90);
      evidence.exit_signal(e, r) = settled ? 10.0 : 1.0;
      evidence.change(e, r) = settled ? 0.0 : 2.0;
      evidence.differs(e, r) = settled ? 0 : 1;
    }
  const std::vector<std::size_t> units{16, 64, 256, 400};
  std::vector<std::size_t> rows(100);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  EXPECT_EQ(choose_exits(evidence, rows, units, 0.01), (std::vector<std::size_t>{1}));
  for (std::size_t r = 91; r < 100; ++r) {
    evidence.exit_signal(2, r) = 10.0;
    evidence.change(2, r) = 0.0;
    evidence.differs(2, r) = 0;
  }
  EXPECT_EQ(choose_exits(evidence, rows, units, 0.01), (std::vector<std::size_t>{1, 2}));
  const auto others = std::span(rows).first(90);  // without the rows that stop at the third
  EXPECT_EQ(choose_exits(evidence, others, units, 0.01), (std::vector<std::size_t>{1}));
  for (std::size_t r = 0; r < 100; ++r)
    for (std::size_t e = 0; e < 3; ++e) evidence.differs(e, r) = 1;
  EXPECT_TRUE(choose_exits(evidence, rows, units, 0.01).empty());
}

TEST(Dial, TakesTheEvidenceThatTheseExitsAloneWouldGive) {
  const model::Model& model = model_of(Target::two);
  const data::Table table = make_table(200, 5, Target::two);
  const std::vector<std::size_t> grid = exit_grid(model.network), chosen{0, 2};
  ASSERT_GT(grid.size(), 2u);
  const ExitEvidence taken = take_exits(collect_evidence(model, table, grid, {}, 0.0, one()), chosen);
  const ExitEvidence alone = collect_evidence(model, table, std::vector<std::size_t>{grid[0], grid[2]}, {}, 0.0, one());
  EXPECT_TRUE(std::ranges::equal(taken.exit_signal.flat(), alone.exit_signal.flat()));
  EXPECT_TRUE(std::ranges::equal(taken.change.flat(), alone.change.flat()));
  EXPECT_TRUE(std::ranges::equal(taken.differs.flat(), alone.differs.flat()));
}

TEST(Dial, APredictionDiffersIfItIsMoreThanATolerance) {
  const model::Model& model = model_of(Target::number);
  const data::Table table = make_table(200, 5, Target::number);
  const std::vector<std::size_t> exits = regression_exits(model.network);
  const ExitEvidence evidence = collect_evidence(model, table, exits, {}, 0.5, one());
  std::size_t differ = 0;
  for (std::size_t e = 0; e < exits.size(); ++e)
    for (std::size_t r = 0; r < table.rows(); ++r) {
      EXPECT_EQ(evidence.differs(e, r), evidence.change(e, r) > 1.0 ? 1 : 0);
      differ += evidence.differs(e, r);
    }
  EXPECT_GT(differ, 20u);
  EXPECT_LT(differ, exits.size() * table.rows() - 20u);
}

/// Thresholds are tried by falling factors, eight per power of two.
TEST(Dial, TakesTheLowestThresholdsThatKeepThePromise) {
  constexpr std::size_t rows = 2'000;
  const data::Table table = make_table(rows, 5, Target::two);
  const DialOptions options{.disagreement = 0.02, .confidence = 0.9};
  const data::Table tested = data::take_rows(table, data::holdout(rows, {}, 0.25, options.seed).train);
  model::Model model = model_of(Target::two);
  model.early_exit = find_exits(model, table, options, one());
  ASSERT_EQ(model.early_exit.rows, tested.rows());
  const auto p_value = [&] {
    const double differ = disagreement_of(model, tested) * static_cast<double>(tested.rows());
    return binomial_p_value(static_cast<std::size_t>(std::lround(differ)), tested.rows(), options.disagreement);
  };
  EXPECT_LE(p_value(), 0.1);
  for (model::Exit& exit : model.early_exit.exits) exit.threshold *= std::exp2(-1.0 / 8.0);
  EXPECT_GT(p_value(), 0.1);
}

/// An exit at which no row of a regression can stop has a threshold below 0. It is kept if the next one compares with
/// it.
TEST(Dial, DropsTheExitsThatARegressionDoesNotNeed) {
  const model::Model& model = model_of(Target::number);
  const data::Table table = make_table(2'000, 5, Target::number);
  std::size_t kept = 0, dropped = 0;
  for (const double tolerance : {0.05, 0.1, 0.2, 0.3, 0.5, 1.0}) {
    const DialOptions options{.disagreement = 0.02, .confidence = 0.9, .tolerance = tolerance};
    const auto exits = find_exits(model, table, options, one()).exits;
    for (std::size_t e = 0; e < exits.size(); ++e)
      if (exits[e].threshold < 0.0) {
        ASSERT_LT(e + 1, exits.size()) << tolerance;
        EXPECT_GE(exits[e + 1].threshold, 0.0) << tolerance;
      }
    kept += exits.size();
    dropped += regression_exits(model.network).size() - exits.size();
  }
  EXPECT_GT(kept, 3u);
  EXPECT_GT(dropped, 3u);
}

TEST(Dial, NamesTheRowOfTheTableThatHasAnInfiniteValue) {
  for (std::size_t row = 100; row < 120; ++row) {
    data::Table table = make_table(800, 5, Target::two);
    table.columns[0].numbers[row] = std::numeric_limits<float>::infinity();
    const std::string said = thrown_message<core::DataError>(
        [&] { find_exits(model_of(Target::two), table, {.disagreement = 0.02, .confidence = 0.9}, one()); });
    EXPECT_NE(said.find("row " + std::to_string(row + 1) + " "), std::string::npos) << said;
  }
}

TEST(Dial, SaysHowManyRowsThePromiseNeeds) {
  const DialOptions options;
  EXPECT_EQ(min_dial_rows(options), 3'993);
  const std::string said = thrown_message<core::DataError>(
      [&] { find_exits(model_of(Target::two), make_table(3'992, 5, Target::two), options, one()); });
  EXPECT_NE(said.find("at least 2995 others must test them"), std::string::npos) << said;
  EXPECT_NE(said.find("give at least 3993: a quarter of the rows"), std::string::npos) << said;
  EXPECT_EQ(find_exits(model_of(Target::two), make_table(3'993, 5, Target::two), options, one()).rows, 2'995);
}

TEST(Dial, ToleranceOfARegressionIsATenthOfTheSpreadUnlessGiven) {
  const data::Table table = make_table(3'000, 5, Target::number);
  DialOptions options{.disagreement = 0.02, .confidence = 0.9};
  const auto chosen = find_exits(model_of(Target::number), table, options, one());
  ASSERT_EQ(chosen.tolerances.size(), 1);
  EXPECT_NEAR(chosen.tolerances[0], 0.22, 0.04);  // the predictions have a standard deviation of about 2.2
  options.tolerance = 1.5;
  const auto wide = find_exits(model_of(Target::number), table, options, one());
  EXPECT_EQ(wide.tolerances, std::vector{1.5});
  EXPECT_LT(wide.mean_units, chosen.mean_units);
}

TEST(Dial, IsSavedWithTheModelAndLostWhenItGrows) {
  for (const Target target : {Target::two, Target::number}) {
    model::Model model = model_of(target);
    model.early_exit =
        find_exits(model, make_table(1'000, 5, target), {.disagreement = 0.02, .confidence = 0.9}, one());
    const auto loaded = io::parse_model(io::serialise(model), "memory");
    EXPECT_EQ(loaded.early_exit, model.early_exit);
    FitOptions more;
    more.config.units = 104;
    more.workers = &one();
    const auto grown = grow(loaded, make_table(600, 1, target), more);
    EXPECT_EQ(grown.model.early_exit, model::EarlyExit{});
    EXPECT_FALSE(grown.notes.empty());
  }
}

TEST(Dial, RefusesWhatCannotBe) {
  const data::Table table = make_table(1'000, 5, Target::two);
  const auto find = [&](DialOptions options) { return find_exits(model_of(Target::two), table, options, one()); };
  EXPECT_THROW(find({.disagreement = 0.0}), core::UsageError);
  EXPECT_THROW(find({.disagreement = 1.0}), core::UsageError);
  EXPECT_THROW(find({.confidence = 1.0}), core::UsageError);
  EXPECT_THROW(find({.disagreement = 0.02, .tolerance = 0.5}), core::UsageError);
  EXPECT_THROW(find({.disagreement = 0.02, .tolerance = -0.5}), core::UsageError);
  model::Model offset = model_of(Target::two);
  offset.offset_column = "exposure";
  EXPECT_THROW(find_exits(offset, table, {.disagreement = 0.02}, one()), core::UsageError);
  model::Model plain = model_of(Target::two);
  plain.method = model::Method::network;
  EXPECT_THROW(find_exits(plain, table, {.disagreement = 0.02}, one()), core::UsageError);
}

}  // namespace
}  // namespace accrete::boosting::dial_test
