#include "accrete/experiment/times.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "accrete/experiment/outcome.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::experiment::times_test {
namespace {

using Json = nlohmann::ordered_json;

class TimesTest : public InventedTest {
 protected:
  /// On four threads: the fits must not care.
  RunCounts run(const std::vector<std::string>& tasks, const std::vector<std::string>& methods) {
    core::Workers workers(4);
    return run_times(options(tasks, methods), workers);
  }

  std::size_t fits_where(const std::string& condition) const {
    return ask(path("s.sqlite"), ("SELECT * FROM fit WHERE study LIKE 'times %' AND " + condition).c_str()).size();
  }

  Json result(const std::string& experiment, const std::string& task, const std::string& method) {
    for (const auto& result : stores_["s.sqlite"]->results())
      if (result.key == store::ResultKey{experiment, "quick", task, method}) return Json::parse(result.document);
    return {};
  }
};

const Json sizes{20, 40, 60, 80, 100, 120, 140, 160, 180, 200};

TEST_F(TimesTest, SecondsAgainstUnits) {
  const RunCounts counts = run({"ilpd"}, {"gbnn", "adam"});
  EXPECT_EQ(counts.fits, (30u + 10) + (60 + 10)) << "three folds a size, and ten for the table";
  EXPECT_EQ(counts.found, 6u) << "200 units with early stopping are a point of the figure and a cell of the table";
  for (const char* method : {"gbnn", "adam"}) {
    const Json curves = result("times", "ilpd", method);
    EXPECT_EQ(curves["folds"], 3);
    for (const char* kind : {"early", "full"}) {
      EXPECT_EQ(curves[kind]["units"], sizes);
      ASSERT_EQ(curves[kind]["mean"].size(), 10u);
      ASSERT_EQ(curves[kind]["se"].size(), 10u);
      for (const double mean : curves[kind]["mean"]) EXPECT_GT(mean, 0.0);
    }
  }
  const Json grown = result("times", "ilpd", "gbnn");
  EXPECT_EQ(grown["early"], grown["full"]) << "one fit is both";
  EXPECT_EQ(grown["settings"]["units_per_step"], "1");
}

/// The fits of the full curve are those without a tolerance.
TEST_F(TimesTest, AllEpochsAreAskedForByTheTolerance) {
  run({"ilpd"}, {"adam"});
  EXPECT_EQ(fits_where("method LIKE '% tolerance=0 %' AND method LIKE '% hidden=40 %'"), 3u);
  EXPECT_EQ(fits_where("method LIKE '% tolerance=0.0001 %' AND method LIKE '% hidden=40 %'"), 3u);
  EXPECT_EQ(fits_where("method LIKE '% hidden=200 %'"), 3u + 10) << "the table's ten folds are three of the figure's";
}

TEST_F(TimesTest, UnitsOfADeepNetworkAreThoseOfALayer) {
  core::Workers workers(1);
  auto times = options({"ilpd"}, {"deep"});
  std::size_t fits = 0;
  times.on_progress = [&](const RunProgress& at) { fits = at.fits; };
  times.stop = [&] { return fits >= 6; };
  EXPECT_TRUE(run_times(times, workers).stopped);
  EXPECT_EQ(fits_where("method LIKE '% hidden=20,20,20 %'"), 3u);
  EXPECT_EQ(fits_where("method LIKE '% hidden=40,40,40 %'"), 3u);
}

TEST_F(TimesTest, TheTableHasEveryTask) {
  const RunCounts counts = run({"iris", "boston", "waveform-300"}, {"lbfgs", "sgd"});
  EXPECT_EQ(counts.fits, 60u);
  for (const char* task : {"iris", "boston", "waveform-300"}) {
    EXPECT_EQ(result("times-table", task, "lbfgs")["settings"], (Json{{"hidden", "200"}}));
    EXPECT_EQ(result("times-table", task, "sgd")["folds"], 10);
    EXPECT_GT(result("times-table", task, "sgd")["mean"].get<double>(), 0.0);
    EXPECT_TRUE(result("times-table", task, "sgd")["sd"].is_number());
    EXPECT_TRUE(result("times", task, "lbfgs").is_null()) << "no curve";
  }
}

TEST_F(TimesTest, SettingsAreTheTablesFavouritesWhereItHasSome) {
  run({"iris"}, {"gbnn"});
  const Json before = result("times-table", "iris", "gbnn");
  EXPECT_EQ(before["settings_from"], "defaults");
  EXPECT_EQ(before["settings"],
            (Json{{"units_per_step", "1"}, {"learning_rate", "1"}, {"subsample", "0.5"}, {"units", "200"}}));
  Cell grown{"quick", "iris", "gbnn", "accuracy"}, trained{"quick", "iris", "sgd", "accuracy"};
  const tune::Settings chosen{{"learning_rate", "0.5"}, {"subsample", "1"}, {"units_per_step", "3"}};
  grown.parts = {{0, 0, 0.9, {{"learning_rate", "1"}}}, {0, 1, 0.9, chosen}, {0, 2, 0.9, chosen}};
  trained.parts = {{0, 0, 0.9, {{"hidden", "12"}, {"schedule", "adaptive"}}}};
  for (const Cell& cell : {grown, trained}) stores_["s.sqlite"]->keep_result(to_result(cell));
  run({"iris"}, {"gbnn", "sgd"});
  const Json after = result("times-table", "iris", "gbnn");
  EXPECT_EQ(after["settings_from"], "table");
  EXPECT_EQ(after["settings"],
            (Json{{"learning_rate", "0.5"}, {"subsample", "1"}, {"units_per_step", "3"}, {"units", "200"}}));
  EXPECT_EQ(result("times-table", "iris", "sgd")["settings"], (Json{{"schedule", "adaptive"}, {"hidden", "200"}}))
      << "its schedule; all have one size";
}

TEST_F(TimesTest, ATimeIsTakenOnce) {
  run({"iris"}, {"gbnn", "lbfgs"});
  const auto first = results_in(path("s.sqlite"));
  const RunCounts again = run({"iris"}, {"gbnn", "lbfgs"});
  EXPECT_EQ(again.found, again.planned);
  EXPECT_EQ(results_in(path("s.sqlite")), first);
}

/// No two fits at once, whatever the team.
TEST_F(TimesTest, OneFitAtATime) {
  core::Workers workers(4);
  auto times = options({"iris"}, {"lbfgs"});
  std::size_t last = 0;
  const auto here = std::this_thread::get_id();
  times.on_progress = [&](const RunProgress& at) {
    EXPECT_LE(at.fits, last + 1);
    last = at.fits;
  };
  times.stop = [&] {
    EXPECT_EQ(std::this_thread::get_id(), here) << "stop must be called on the thread that runs the fits";
    return false;
  };
  run_times(times, workers);
  EXPECT_EQ(last, 10u);
}

}  // namespace
}  // namespace accrete::experiment::times_test
