// Choosing settings on held-out rows: the best candidate wins, given parameters stay, and a stopped fit has a model.

#include "accrete/boosting/choose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "accrete/boosting/choose/refinement.hpp"
#include "accrete/config/parameter.hpp"
#include "accrete/core/random.hpp"

namespace accrete::boosting::choose_test {
namespace {

data::Table table_with(std::size_t rows, const std::function<double(double, double, core::Rng&)>& target) {
  data::Table table;
  table.source = "made up";
  for (const char* name : {"a", "b", "y"}) table.columns.push_back({.name = name});
  core::Rng rng(11, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.normal();
    table.columns[0].numbers.push_back(static_cast<float>(a));
    table.columns[1].numbers.push_back(static_cast<float>(b));
    table.columns[2].numbers.push_back(static_cast<float>(target(a, b, rng)));
  }
  return table;
}

double waves(double a, double b, core::Rng& rng) {
  return std::sin(2.0 * a) + 0.5 * b + 0.1 * rng.normal();
}
double two_moons(double a, double b, core::Rng& rng) {
  return a * b + 0.3 * rng.normal() > 0.0 ? 1.0 : 0.0;
}
double coin(double, double, core::Rng& rng) {
  return rng.uniform() < 0.5 ? 1.0 : 0.0;
}
/// Twelve steps over the quantiles of a.
double stairs(double a, double, core::Rng& rng) {
  return std::floor(6.0 * std::erf(a / std::sqrt(2.0))) + 0.1 * rng.normal();
}

FitOptions options_for(data::Task task, config::Config config = {}, core::Workers* workers = nullptr) {
  static core::Workers one(1);
  FitOptions options;
  options.task = task;
  options.config = std::move(config);
  options.workers = workers ? workers : &one;
  return options;
}

std::string parameter(const model::Model& model, const std::string& name) {
  for (const auto& [key, value] : model.provenance.parameters)
    if (key == name) return value;
  return "";
}

bool same_network(const model::Model& a, const model::Model& b) {
  return std::ranges::equal(a.network.hidden_weights(), b.network.hidden_weights()) &&
         std::ranges::equal(a.network.output_weights(), b.network.output_weights()) &&
         std::ranges::equal(a.network.prefix_bias(), b.network.prefix_bias());
}

TEST(Choose, FitsTheModelWithTheSmallestHeldOutLoss) {
  const auto table = table_with(300, waves);
  const FitResult result = fit(table, options_for(data::Task::regression));
  const model::ParameterChoice& choice = result.model.provenance.choice;
  EXPECT_EQ(choice.folds, 5u);
  EXPECT_EQ(choice.held_out_rows, 300u);
  ASSERT_GE(choice.trials.size(), 4u);
  for (const model::Trial& trial : choice.trials) EXPECT_LE(choice.trials.front().loss, trial.loss);
  for (const auto& [name, value] : choice.trials.front().parameters) EXPECT_EQ(parameter(result.model, name), value);
}

TEST(Choose, TakesTheLongestLengthWithinTwoPercent) {
  const FitResult result = fit(table_with(300, waves), options_for(data::Task::regression));
  const auto& curve = result.model.provenance.validation_loss;  // including steps after the chosen length
  const std::size_t steps = result.model.network.steps();
  ASSERT_GT(curve.size(), steps);
  const double least = std::ranges::min(curve);
  const auto best = static_cast<std::size_t>(std::ranges::min_element(curve) - curve.begin());
  const model::Trial& winner = result.model.provenance.choice.trials.front();
  EXPECT_EQ(winner.units, best * 2) << "in steps of two";
  EXPECT_DOUBLE_EQ(winner.loss, least);
  EXPECT_GT(steps, best);
  EXPECT_LE(curve[steps], 1.02 * least);
  for (std::size_t s = steps + 1; s < curve.size(); ++s) EXPECT_GT(curve[s], 1.02 * least) << s;
}

/// A ring without noise: the log loss keeps falling.
TEST(Choose, ExtendsANetworkThatStillImproves) {
  const auto table = table_with(200, [](double a, double b, core::Rng&) { return a * a + b * b > 1.0 ? 1.0 : 0.0; });
  const FitResult result = fit(table, options_for(data::Task::binary, {.bins = 0, .alpha = 0.1}));
  const auto& curve = result.model.provenance.validation_loss;
  ASSERT_EQ(curve.size(), 401u) << "800 units in steps of two";
  ASSERT_LT(curve[400], 0.98 * curve[267]) << "the held-out loss must still fall at the end";
  EXPECT_EQ(result.model.network.units(), 1600u);
  EXPECT_EQ(result.model.provenance.train_loss.size(), 801u);
}

TEST(Choose, HoldsOutFewerFoldsOfManyRows) {
  const auto result = fit(table_with(2500, two_moons), options_for(data::Task::binary, {.max_iter = 5}));
  EXPECT_EQ(result.model.provenance.choice.folds, 2u);
  EXPECT_EQ(result.model.provenance.choice.held_out_rows, 1000u);
}

TEST(Choose, KeepsTheNetworkShortForRandomLabels) {
  const FitResult result = fit(table_with(400, coin), options_for(data::Task::binary));
  EXPECT_LE(result.model.network.units(), 60u);
  const auto& curve = result.model.provenance.validation_loss;
  EXPECT_LT(curve[result.model.network.steps()], curve.front() + 0.01);
}

TEST(Choose, ChoosesBinsForAStepFunction) {
  const FitResult result = fit(table_with(600, stairs), options_for(data::Task::regression));
  EXPECT_NE(parameter(result.model, "bins"), "0");
}

TEST(Choose, LearnsInteractionsOfTwoColumns) {
  const FitResult result = fit(table_with(300, two_moons), options_for(data::Task::binary, {.bins = 0}));
  const auto& curve = result.model.provenance.validation_loss;
  EXPECT_LT(std::ranges::min(curve), 0.6 * curve.front()) << "neither column is useful alone";
}

TEST(Choose, DoesNotChooseGivenParameters) {
  const auto table = table_with(200, two_moons);
  const auto given = fit(table, options_for(data::Task::binary, {.units = 40, .bins = 4, .alpha = 3})).model;
  EXPECT_TRUE(given.provenance.choice.trials.empty());
  EXPECT_EQ(given.network.units(), 40u);
  EXPECT_EQ(parameter(given, "alpha"), "3");
  EXPECT_EQ(parameter(given, "bins"), "4");

  const auto half = fit(table, options_for(data::Task::binary, {.units = 40, .alpha = 3})).model;
  EXPECT_EQ(half.network.units(), 40u);
  EXPECT_EQ(parameter(half, "alpha"), "3");
  ASSERT_EQ(half.provenance.choice.trials.size(), 2u);
  for (const auto& trial : half.provenance.choice.trials) {
    ASSERT_EQ(trial.parameters.size(), 1u);
    EXPECT_EQ(trial.parameters[0].first, "bins");
    EXPECT_EQ(trial.units, 40u);
  }
}

std::vector<std::size_t> units_of_trials(const FitResult& result) {
  std::vector<std::size_t> units;
  for (const model::Trial& trial : result.model.provenance.choice.trials) units.push_back(trial.units);
  return units;
}

/// Successive halving: candidates are compared after 96 units, and if several are left, again after 288.
TEST(Choose, GrowsTheBetterHalfThreeTimesAsLong) {
  const auto table = table_with(200, waves);
  const auto five = fit(table, options_for(data::Task::regression, {.units = 400, .max_iter = 5}));
  EXPECT_EQ(units_of_trials(five), (std::vector<std::size_t>{288, 288, 96, 96, 96}));
  const auto two = fit(table, options_for(data::Task::regression, {.units = 400, .alpha = 1, .max_iter = 5}));
  EXPECT_EQ(units_of_trials(two), (std::vector<std::size_t>{96, 96})) << "the better of two needs no more";
}

TEST(Choose, TriesAFewStepsOfLargeBlocks) {
  const auto table = table_with(60, two_moons);
  for (const std::uint64_t units_per_step : {100, 300}) {
    const auto model = fit(table, options_for(data::Task::binary,
                                              {.units_per_step = units_per_step, .bins = 0, .alpha = 1, .max_iter = 2}))
                           .model;
    EXPECT_GE(model.network.steps(), 1u) << units_per_step;
    EXPECT_EQ(model.network.units() % units_per_step, 0u);
  }
}

TEST(Choose, UsesThePresetIfAutomaticIsOff) {
  const auto model = fit(table_with(100, two_moons), options_for(data::Task::binary, {.automatic = false})).model;
  EXPECT_TRUE(model.provenance.choice.trials.empty());
  EXPECT_EQ(model.network.units(), 800u);
  EXPECT_TRUE(model.provenance.validation_loss.empty());
}

TEST(Choose, DoesNotDependOnThreadsOrRowOrder) {
  auto table = table_with(150, two_moons);
  const auto one = fit(table, options_for(data::Task::binary)).model;
  core::Workers three(3);
  const auto many = fit(table, options_for(data::Task::binary, {}, &three)).model;
  EXPECT_TRUE(same_network(one, many));
  EXPECT_EQ(one.provenance.choice, many.provenance.choice);
  for (data::Column& column : table.columns) std::ranges::reverse(column.numbers);
  EXPECT_TRUE(same_network(one, fit(table, options_for(data::Task::binary)).model));
}

TEST(Choose, TreatsARepeatedRowAsOneOfWeightTwo) {
  auto once = table_with(120, two_moons);
  auto twice = once;
  once.columns.push_back({.name = "w"});
  for (std::size_t r = 0; r < 120; ++r) {
    once.columns.back().numbers.push_back(r % 3 == 0 ? 2.0f : 1.0f);
    if (r % 3 == 0)
      for (data::Column& column : twice.columns) column.numbers.push_back(column.numbers[r]);
  }
  FitOptions options = options_for(data::Task::binary);
  options.targets = {"y"};
  const auto repeated = fit(twice, options).model;
  options.weight_column = "w";
  const auto weighted = fit(once, options).model;
  EXPECT_TRUE(same_network(repeated, weighted));
  EXPECT_EQ(repeated.provenance.choice.trials, weighted.provenance.choice.trials);
}

/// The sample has a quarter of the rows, however many of them are equal.
TEST(Choose, ScalesAlphaByTheShareOfSampledRows) {
  const auto half_plane = [](double a, double b, core::Rng& rng) {
    return a + b + 0.3 * rng.normal() > 0.0 ? 1.0 : 0.0;
  };
  data::Table table = table_with(600, half_plane);
  for (data::Column& column : table.columns)
    for (std::size_t r = 600; r < 16'000; ++r) column.numbers.push_back(column.numbers[r - 600]);
  FitOptions options = options_for(data::Task::binary, {.units = 16, .max_iter = 3});
  options.preset = "fast";
  const auto model = fit(table, options).model;
  const model::Trial& winner = model.provenance.choice.trials.front();
  const auto tried = std::ranges::find(winner.parameters, "alpha", &config::Setting::first);
  ASSERT_NE(tried, winner.parameters.end());
  EXPECT_DOUBLE_EQ(std::stod(parameter(model, "alpha")), round_to_three_digits(0.5 * std::stod(tried->second)));
}

/// Scores that share units need more steps.
TEST(Choose, TakesMoreStepsForManyClasses) {
  struct Plan {
    data::Task task;
    std::size_t classes;
    const char *units, *rate;
  };
  for (const Plan& plan : {Plan{data::Task::regression, 3, "448", "0.25"}, Plan{data::Task::binary, 2, "320", "0.25"},
                           Plan{data::Task::multiclass, 3, "640", "0.2"}}) {
    const auto class_of = [&](double a, double, core::Rng&) {
      return a < -0.5 ? 0.0 : a < 0.5 ? 1.0 : plan.classes - 1.0;
    };
    const FitOptions options = options_for(plan.task, {.bins = 0, .alpha = 1.0, .max_iter = 1});
    const auto model = fit(table_with(10'000, class_of), options).model;
    EXPECT_EQ(parameter(model, "units"), plan.units) << plan.classes;
    EXPECT_EQ(parameter(model, "learning_rate"), plan.rate) << plan.classes;
  }
}

/// `fast` compares two encodings, then three neighbours of the better one.
TEST(Choose, RefinesTheBestCandidateOfALargeTable) {
  data::Table table = table_with(9000, waves);
  core::Rng rng(5, 0, core::Purpose::generator);
  for (int c = 0; c < 4; ++c) {
    data::Column column{.name = "noise" + std::to_string(c)};
    for (std::size_t r = 0; r < 9000; ++r) column.numbers.push_back(static_cast<float>(rng.normal()));
    table.columns.insert(table.columns.begin(), std::move(column));
  }
  FitOptions options = options_for(data::Task::regression, {.units = 16});
  options.preset = "fast";
  const auto model = fit(table, options).model;
  const std::vector<model::Trial>& trials = model.provenance.choice.trials;
  ASSERT_EQ(trials.size(), 5u);
  for (const auto& [name, value] : trials.front().parameters)
    EXPECT_TRUE(name == "alpha" || parameter(model, name) == value) << name << ' ' << value;
  const auto values = [&](const std::string& name) {
    std::set<std::string> found;
    for (const model::Trial& trial : trials)
      found.insert(std::ranges::find(trial.parameters, name, &config::Setting::first)->second);
    return found;
  };
  EXPECT_EQ(values("feature_fraction"), (std::set<std::string>{"0.5", "1"}));
  EXPECT_EQ(values("bins"), (std::set<std::string>{"0", "32"}));
  EXPECT_GE(values("alpha").size(), 4u);
}

/// Candidates without bins have alpha 1 and 30; each lighter penalty is better than the one before.
TEST(Choose, KeepsEveryRefinementThatIsBetter) {
  FitOptions options = options_for(data::Task::regression, {.units = 16, .bins = 0});
  options.preset = "fast";
  const auto trials = fit(table_with(9000, waves), options).model.provenance.choice.trials;
  std::vector<std::string> penalties;  // best first
  for (const model::Trial& trial : trials) penalties.push_back(trial.parameters.front().second);
  EXPECT_EQ(penalties, (std::vector<std::string>{"0.111", "0.333", "1", "3", "30"}));
}

/// On a small sample, bins and categories may only help under a heavy penalty.
TEST(Choose, TriesAHeavyPenaltyWithBinsBeforeItGivesUp) {
  FitOptions options = options_for(data::Task::binary, {.units = 16, .max_iter = 3});
  options.preset = "fast";
  const auto trials = fit(table_with(12'000, coin), options).model.provenance.choice.trials;
  std::set<std::string> penalties;  // with bins
  for (const model::Trial& trial : trials)
    if (std::ranges::find(trial.parameters, config::Setting("bins", "32")) != trial.parameters.end())
      penalties.insert(trial.parameters.front().second);
  EXPECT_EQ(penalties, (std::set<std::string>{"100", "30"}));
  EXPECT_GT(trials.size(), 3u) << "heavier penalties without bins";
}

TEST(Choose, NeverHoldsOutARareClass) {
  auto table = table_with(150, two_moons);
  table.columns[2].numbers[3] = table.columns[2].numbers[90] = 2.0f;
  const auto model = fit(table, options_for(data::Task::multiclass)).model;
  EXPECT_EQ(model.classes.size(), 3u);
  EXPECT_EQ(model.provenance.choice.held_out_rows, 148u);
}

TEST(Choose, UsesThePresetForFewRows) {
  const auto model = fit(table_with(39, waves), options_for(data::Task::regression)).model;
  EXPECT_TRUE(model.provenance.choice.trials.empty());
  EXPECT_EQ(model.network.units(), 800u);
}

TEST(Choose, ReturnsTheFallbackIfStoppedWhileChoosing) {
  const auto table = table_with(300, two_moons);
  std::size_t asked = 0;
  FitOptions options = options_for(data::Task::binary);
  double fraction = 0.0;
  options.choosing = [&](const TimeEstimate& time) {
    EXPECT_GE(time.fraction, fraction);
    EXPECT_LE(time.fraction, 1.0);
    EXPECT_GE(time.seconds_left, 0.0);
    fraction = time.fraction;
    return ++asked < 400;
  };
  const FitResult result = fit(table, options);
  EXPECT_EQ(result.stop, Stop::observer);
  EXPECT_GE(result.model.network.steps(), 1u);
  EXPECT_EQ(result.model.provenance.training_rows, 240u);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes.back().text().find("240 of 300 rows"), std::string::npos) << result.notes.back().text();
  const auto predictions = model::predict(result.model, table, result.model.network.steps(), *options_for({}).workers);
  for (const double p : predictions.flat()) EXPECT_TRUE(p >= 0.0 && p <= 1.0);
}

/// One fold is held out, so that its curve is the one by which candidates are compared.
TEST(Choose, EndsTheFallbackAtItsSmallestHeldOutLoss) {
  FitOptions options = options_for(data::Task::binary);
  options.preset = "fast";
  std::size_t asked = 0;
  options.choosing = [&](const TimeEstimate&) { return ++asked < 60; };
  const FitResult result = fit(table_with(300, coin), options);
  ASSERT_EQ(result.stop, Stop::observer);
  const auto& curve = result.model.provenance.validation_loss;
  const auto best = static_cast<std::size_t>(std::ranges::min_element(curve) - curve.begin());
  ASSERT_GT(curve.size(), best + 2) << "the network grew beyond its best length";
  EXPECT_EQ(result.model.network.steps(), std::max<std::size_t>(1, best));
}

TEST(Choose, ReturnsAModelForAnyTimeLimit) {
  const auto table = table_with(3000, two_moons);
  for (const double seconds : {1e-9, 0.05, 0.3}) {
    const FitResult result = fit(table, options_for(data::Task::binary, {.time_limit = seconds}));
    EXPECT_GE(result.model.network.steps(), 1u) << seconds;
    const auto p = model::predict(result.model, table, result.model.network.steps(), *options_for({}).workers);
    for (const double value : p.flat()) EXPECT_TRUE(std::isfinite(value));
  }
}

/// Candidates that are not grown to the end do not tell that nothing can be learnt.
TEST(Choose, DrawsNoConclusionFromASearchThatWasStopped) {
  for (const std::size_t rows : {100, 140, 180, 220})
    for (const std::size_t max_calls : {400, 700, 1000}) {
      FitOptions options = options_for(data::Task::binary);
      std::size_t calls = 0;
      options.choosing = [&](const TimeEstimate&) { return ++calls < max_calls; };
      const FitResult result = fit(table_with(rows, coin), options);
      if (calls < max_calls) continue;
      for (const core::Message& note : result.notes)
        EXPECT_EQ(note.text().find("no network is better"), std::string::npos) << rows << ' ' << max_calls;
    }
}

TEST(Choose, TriesNoBinsForFewRowsPerColumn) {
  data::Table table = table_with(100, two_moons);
  core::Rng rng(9, 0, core::Purpose::generator);
  for (int c = 0; c < 60; ++c) {
    data::Column& column = table.columns.emplace_back(data::Column{.name = "noise" + std::to_string(c)});
    for (std::size_t r = 0; r < 100; ++r) column.numbers.push_back(static_cast<float>(rng.normal()));
  }
  FitOptions options = options_for(data::Task::binary);
  options.config.max_iter = 3;
  options.targets = {"y"};
  const auto trials = fit(table, options).model.provenance.choice.trials;
  ASSERT_FALSE(trials.empty());
  for (const model::Trial& trial : trials)
    for (const auto& [name, value] : trial.parameters) EXPECT_TRUE(name != "bins" || value == "0") << value;
}

/// Each step alone would take hours.
TEST(Choose, EndsWithinAStepThatExceedsTheTimeLimit) {
  const auto table = table_with(2000, two_moons);
  const config::Config endless{.units = 400,
                               .units_per_step = 200,
                               .max_iter = 1'000'000'000,
                               .tolerance = 0.0,
                               .gauss_newton = false,
                               .time_limit = 0.2};
  for (const char* objective : {"projected", "direct", "residual"}) {
    FitOptions options = options_for(data::Task::binary, endless);
    options.config.objective = objective;
    const FitResult result = fit(table, options);
    EXPECT_EQ(result.stop, Stop::time) << objective;
    EXPECT_LT(result.model.provenance.train_loss.back(), result.model.provenance.train_loss.front());
  }
}

/// The first step on the only held-out fold ends after one evaluation, so its iterations do not matter.
TEST(Choose, EndsACandidatesStepAfterTheTimeLimit) {
  const auto table = table_with(300, two_moons);
  const auto held_out = [&](std::uint64_t max_iter) {
    const config::Config config{.max_iter = max_iter, .tolerance = 0.0, .time_limit = 1e-9};
    FitOptions options = options_for(data::Task::binary, config);
    options.preset = "fast";
    return fit(table, options).model.provenance.validation_loss;
  };
  const std::vector<double> ended = held_out(60);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended, held_out(30));
}

TEST(Choose, ResumesWithTheChosenSettings) {
  const auto table = table_with(200, two_moons);
  const auto whole = fit(table, options_for(data::Task::binary)).model;
  std::optional<model::Model> checkpoint;
  fit(table, options_for(data::Task::binary), [&](const Progress& p) {
    if (p.step == 3) checkpoint = p.snapshot();
    return !checkpoint;
  });
  ASSERT_TRUE(checkpoint);
  FitOptions options = options_for(data::Task::binary);
  options.resume = &*checkpoint;
  options.choosing = [](const TimeEstimate&) {
    ADD_FAILURE() << "chosen again";
    return true;
  };
  const auto resumed = fit(table, options);
  EXPECT_TRUE(same_network(resumed.model, whole));
  EXPECT_EQ(resumed.model.provenance.choice, whole.provenance.choice);
  EXPECT_EQ(resumed.model.provenance.validation_loss, whole.provenance.validation_loss);
}

}  // namespace
}  // namespace accrete::boosting::choose_test
