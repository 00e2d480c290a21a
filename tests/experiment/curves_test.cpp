#include "accrete/experiment/curves.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "accrete/experiment/loaded.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/runs.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::experiment::curves_test {
namespace {

using Json = nlohmann::ordered_json;

class CurvesTest : public InventedTest {
 protected:
  Json run(const std::string& task, const std::string& method, std::size_t threads = 2) {
    core::Workers workers(threads);
    const auto curves = options({task}, {method});
    counts_ = run_curves(curves, workers);
    const auto results = curves.store->results();
    for (const auto& result : results)
      if (result.key == store::ResultKey{"curves", "quick", task, method}) return Json::parse(result.document);
    return {};
  }

  RunCounts counts_;
};

/// One fit per fold serves all points of the curve; each point equals a separate fit with that many units.
TEST_F(CurvesTest, OneFitScoresEveryPrefix) {
  const Json curve = run("tic-tac-toe", "gbnn");
  EXPECT_EQ(counts_.fits, 10u);
  EXPECT_EQ(curve["metric"], "accuracy");
  EXPECT_EQ(curve["folds"], 10);
  EXPECT_EQ(curve["settings"], (Json{{"learning_rate", "0.5"}, {"subsample", "1"}, {"units_per_step", "3"}}));
  ASSERT_EQ(curve["units"].size(), 66u);
  EXPECT_EQ(curve["units"].front(), 3);
  EXPECT_EQ(curve["units"].back(), 198);
  ASSERT_EQ(curve["mean"].size(), 66u);
  ASSERT_EQ(curve["se"].size(), 66u);

  core::Workers workers(1);
  const PaperTask& task = task_named("tic-tac-toe");
  const LoadedTask data(task, load(task, path("data"), workers));
  boosting::FitOptions options;
  options.preset = "paper";
  const tune::Boosted method(options, task.kind);
  const tune::Settings settings{{"learning_rate", "0.5"}, {"subsample", "1"}, {"units_per_step", "3"}};
  const std::size_t units[] = {30};
  std::vector<double> scores;
  for (const data::Split& split : split_task(data, 10, 0).splits) {
    tune::FitKey key{"", data.fingerprint, ""};
    key.inner_fold = static_cast<std::int64_t>(scores.size());
    const auto record = method.fit({data.problem, split, settings, units, tune::seed_of(0, key, method.name())}, {});
    scores.push_back(record->prefixes.front().metrics.front().second);
  }
  EXPECT_EQ(curve["units"][9], 30);
  EXPECT_EQ(curve["mean"][9].get<double>(), tune::summarise(scores).mean);
  EXPECT_EQ(curve["se"][9].get<double>(), tune::summarise(scores).se);
}

TEST_F(CurvesTest, ANetworkForEveryNumberOfUnits) {
  const Json curve = run("energy_heating", "adam");
  EXPECT_EQ(curve["metric"], "rmse");
  EXPECT_EQ(curve["units"], (Json{1, 2, 3, 5, 10, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200}));
  EXPECT_EQ(counts_.fits, 150u);
  EXPECT_EQ(curve["mean"].size(), 15u);
}

TEST_F(CurvesTest, TheDeepOneIsAPoint) {
  const Json curve = run("spambase", "deep");
  EXPECT_EQ(curve["units"], Json{300});
  EXPECT_EQ(curve["mean"].size(), 1u);
  EXPECT_EQ(curve["settings"], (Json{{"hidden", "100,100,100"}}));
}

TEST_F(CurvesTest, ThePaperHasThemAll) {
  core::Workers workers(1);
  auto curves = options({"spambase"}, {"adam"});
  curves.profile = profile_named("paper");
  std::size_t planned = 0;
  curves.on_progress = [&](const RunProgress& at) { planned = at.planned; };
  curves.stop = [&] { return planned > 0; };
  EXPECT_TRUE(run_curves(curves, workers).stopped);
  EXPECT_EQ(planned, 2000u) << "1 to 200 units, ten folds";
}

TEST_F(CurvesTest, AnyNumberOfThreadsAndGoneOnWith) {
  const Json first = run("spambase", "gbnn", 1);
  run("spambase", "gbnn", 2);
  EXPECT_EQ(counts_.found, 10u) << "the second run finds all fits in the store";
  stores_.clear();
  fs::remove(path("s.sqlite"));
  EXPECT_EQ(run("spambase", "gbnn", 2), first);
  EXPECT_EQ(counts_.found, 0u);
}

}  // namespace
}  // namespace accrete::experiment::curves_test
