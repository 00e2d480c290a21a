#include "accrete/tune/runs.hpp"

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "tests/tune/fake_method.hpp"

namespace accrete::tune::runs_test {
namespace {

class RunsTest : public testing::Test {
 protected:
  std::vector<PlannedFit> plan(const Method& method, std::size_t count) const {
    std::vector<PlannedFit> fits;
    for (std::size_t i = 0; i < count; ++i) {
      PlannedFit fit{&method, &split_, {}, {"study", 1, "fake"}};
      fit.key.inner_fold = static_cast<std::int64_t>(i);
      fit.key.seed = i;
      fits.push_back(std::move(fit));
    }
    return fits;
  }
  /// The score is the seed: which record belongs to which fit shows.
  static FakeMethod seeds() {
    return FakeMethod(
        [](const FitTask& task, std::size_t units) { return static_cast<double>(100 * units + task.seed); });
  }

  Problem problem_ = read_problem(two_classes(), {}, std::nullopt);
  data::Split split_{{0, 1, 2}, {3, 4}};
};

TEST_F(RunsTest, RecordsAreInOrderWhateverTheThreads) {
  for (const std::size_t threads : {1, 4}) {
    const FakeMethod method = seeds();
    core::Workers workers(threads);
    const auto fits = plan(method, 23);
    Runs runs(problem_, {.units = {1, 2}, .planned = 23}, workers);
    const auto records = runs.run(fits);
    ASSERT_EQ(records.size(), 23u);
    for (std::size_t i = 0; i < 23; ++i) {
      EXPECT_EQ(records[i].prefixes[0].metrics[0].second, 100.0 + static_cast<double>(i));
      EXPECT_EQ(records[i].prefixes[1].metrics[0].second, 200.0 + static_cast<double>(i));
    }
  }
}

TEST_F(RunsTest, WhatIsThereIsNotDoneAgain) {
  const FakeMethod method = seeds();
  MemoryRecords records;
  core::Workers workers(2);
  std::vector<std::size_t> reported;
  RunOptions options{.units = {1}, .records = &records, .planned = 5};
  options.done = [&](std::size_t done, std::size_t) { reported.push_back(done); };
  Runs(problem_, options, workers).run(plan(method, 3));
  EXPECT_EQ(records.size(), 3u);
  reported.clear();
  Runs runs(problem_, options, workers);
  EXPECT_EQ(runs.run(plan(method, 5)).size(), 5u);
  EXPECT_EQ(method.fits(), 5u) << "three, then two";
  EXPECT_EQ(runs.found(), 3u);
  EXPECT_EQ(runs.done(), 5u);
  EXPECT_EQ(reported, (std::vector<std::size_t>{3, 4, 5}));

  options.units = {1, 2};
  Runs(problem_, options, workers).run(plan(method, 5));
  EXPECT_EQ(method.fits(), 10u) << "records without the wanted units are not reused";
}

TEST_F(RunsTest, RepeatsAFitWhoseRecordLacksTheMetric) {
  const FakeMethod method = seeds();
  MemoryRecords records;
  core::Workers workers(1);
  RunOptions options{.units = {1}, .records = &records, .planned = 2};
  const auto made = Runs(problem_, options, workers).run(plan(method, 2));
  options.metric = made[0].prefixes[0].metrics[0].first;
  Runs(problem_, options, workers).run(plan(method, 2));
  EXPECT_EQ(method.fits(), 2u);
  options.metric = "added_later";
  Runs(problem_, options, workers).run(plan(method, 2));
  EXPECT_EQ(method.fits(), 4u);
}

TEST_F(RunsTest, StopsWithWhatWasFinishedKept) {
  const FakeMethod method = seeds();
  MemoryRecords records;
  core::Workers workers(1);
  RunOptions options{.units = {1}, .records = &records, .planned = 9};
  options.stop = [&] { return method.fits() >= 4; };
  Runs runs(problem_, options, workers);
  EXPECT_TRUE(runs.run(plan(method, 9)).empty());
  EXPECT_EQ(runs.done(), 4u);
  EXPECT_EQ(records.size(), 4u);
}

TEST_F(RunsTest, AnErrorOfAFitEndsItAll) {
  const FakeMethod method([](const FitTask&, std::size_t) -> double { throw core::DataError("no"); });
  core::Workers workers(2);
  EXPECT_THROW(Runs(problem_, {.units = {1}}, workers).run(plan(method, 9)), core::DataError);
}

TEST(SeedOf, FollowsFromEverythingButTheParameters) {
  FitKey key{"study", 0xABCDEF, "boosted alpha=1", 2, no_fold, 3, 0};
  const std::uint64_t seed = seed_of(5, key, "boosted");
  EXPECT_EQ(seed, 7160385896164862u) << "stores contain seeds, so a changed value needs a new format";
  key.method = "boosted alpha=2";
  EXPECT_EQ(seed_of(5, key, "boosted"), seed);
  EXPECT_NE(seed_of(6, key, "boosted"), seed);
  EXPECT_NE(seed_of(5, key, "plain"), seed);
  for (const auto& change : std::vector<std::function<void(FitKey&)>>{
           [](FitKey& k) { ++k.data; }, [](FitKey& k) { ++k.repeat; }, [](FitKey& k) { ++k.outer_fold; },
           [](FitKey& k) { ++k.inner_fold; }}) {
    FitKey other = key;
    change(other);
    EXPECT_NE(seed_of(5, other, "boosted"), seed);
    EXPECT_LT(seed_of(5, other, "boosted"), std::uint64_t{1} << 53);
  }
}

}  // namespace
}  // namespace accrete::tune::runs_test
