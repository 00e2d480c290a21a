// Runs across ranks, here threads.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "accrete/comm/threads.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/runs.hpp"
#include "accrete/tune/runs/record_bytes.hpp"
#include "accrete/tune/search.hpp"
#include "tests/tune/fake_method.hpp"

namespace accrete::tune::shared_runs_test {
namespace {

class SharedRuns : public testing::Test {
 protected:
  static constexpr std::size_t fits = 40;

  std::vector<PlannedFit> plan(const Method& method) const {
    std::vector<PlannedFit> planned;
    for (std::size_t i = 0; i < fits; ++i) {
      PlannedFit fit{&method, &split_, {}, {"study", 1, "fake"}};
      fit.key.seed = i;
      planned.push_back(std::move(fit));
    }
    return planned;
  }

  /// Each rank has records of its own, but those of rank 0 alone matter.
  std::vector<FitRecord> run(std::size_t ranks, const Method& method, MemoryRecords* records,
                             const std::function<bool()>& stop = {}) {
    std::vector<std::vector<FitRecord>> all(ranks);
    comm::run_ranks(ranks, [&](comm::Communicator& comm) {
      core::Workers workers(1 + comm.rank() % 2);
      RunOptions options{
          .units = {1}, .records = comm.rank() == 0 ? records : nullptr, .planned = fits, .stop = stop, .comm = &comm};
      if (comm.rank() == 0) options.done = [&](std::size_t done, std::size_t) { reported_.push_back(done); };
      Runs runs(problem_, options, workers);
      all[comm.rank()] = runs.run(plan(method));
      const std::scoped_lock lock(mutex_);
      found_.push_back(runs.found());
    });
    for (const auto& of_rank : all) EXPECT_EQ(of_rank.size(), all[0].size());
    return all.back();
  }

  static double score(const FitRecord& record) { return record.prefixes.at(0).metrics.at(0).second; }

  const data::Split split_{{0, 1, 2}, {3, 4}};
  const Problem problem_ = read_problem(two_classes(), {}, std::nullopt);
  const FakeMethod method_{[](const FitTask& task, std::size_t) { return static_cast<double>(task.seed) / 3.0; }};
  std::mutex mutex_;
  std::vector<std::size_t> reported_, found_;
};

TEST_F(SharedRuns, AllRanksHaveAllRecordsAndEachFitRunsOnce) {
  for (const std::size_t ranks : {2, 3, 5}) {
    const std::size_t before = method_.fits();
    const auto records = run(ranks, method_, nullptr);
    ASSERT_EQ(records.size(), fits);
    for (std::size_t i = 0; i < fits; ++i) EXPECT_EQ(score(records[i]), static_cast<double>(i) / 3.0);
    EXPECT_EQ(method_.fits() - before, fits);
  }
}

TEST_F(SharedRuns, RankZeroKeepsAndFindsForAll) {
  MemoryRecords store;
  run(3, method_, &store);
  EXPECT_EQ(store.size(), fits);
  EXPECT_EQ(reported_.back(), fits);
  EXPECT_TRUE(std::ranges::is_sorted(reported_));
  found_.clear();
  const auto again = run(2, method_, &store);
  EXPECT_EQ(method_.fits(), fits) << "stored fits are not run again";
  EXPECT_EQ(found_, (std::vector<std::size_t>{fits, fits}));
  EXPECT_EQ(score(again.at(7)), 7.0 / 3.0);
}

/// The first fit of one rank ends after most of the others have ended.
TEST_F(SharedRuns, ASlowRankGetsFewerFits) {
  constexpr std::size_t most = fits - 8;
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t ended = 0;
  std::atomic<bool> is_first = true;
  const FakeMethod method([&](const FitTask&, std::size_t) {
    thread_local const bool slow = is_first.exchange(false);
    std::unique_lock lock(mutex);
    if (slow) changed.wait_for(lock, std::chrono::minutes(2), [&] { return ended >= most; });
    ++ended;
    changed.notify_all();
    return slow ? 1.0 : 0.0;
  });
  const auto records = run(2, method, nullptr);
  ASSERT_EQ(records.size(), fits);
  EXPECT_LE(std::ranges::count_if(records, [](const FitRecord& r) { return score(r) == 1.0; }), 8)
      << "half of them would be 20";
}

TEST_F(SharedRuns, AnErrorOfAFitEndsAllRanks) {
  const FakeMethod method([](const FitTask& task, std::size_t) -> double {
    if (task.seed == 9) throw core::DataError("no");
    return 0.0;
  });
  std::atomic<std::size_t> ended = 0;
  comm::run_ranks(3, [&](comm::Communicator& comm) {
    core::Workers workers(1);
    Runs runs(problem_, {.units = {1}, .planned = fits, .comm = &comm}, workers);
    EXPECT_THROW(runs.run(plan(method)), core::DataError);
    ++ended;
  });
  EXPECT_EQ(ended, 3u);
}

TEST_F(SharedRuns, AnErrorOfTheStoreEndsAllRanks) {
  struct Full : MemoryRecords {
    void keep(const FitKey&, const FitRecord&) override { throw core::FileError("the disk is full"); }
  } full;
  std::atomic<std::size_t> ended = 0;
  comm::run_ranks(2, [&](comm::Communicator& comm) {
    core::Workers workers(1);
    RunOptions options{.units = {1}, .records = comm.rank() == 0 ? &full : nullptr, .planned = fits, .comm = &comm};
    EXPECT_THROW(Runs(problem_, options, workers).run(plan(method_)), core::FileError);
    ++ended;
  });
  EXPECT_EQ(ended, 2u);
}

TEST_F(SharedRuns, StopOnOneRankStopsAllAndKeepsWhatWasDone) {
  MemoryRecords store;
  std::atomic<std::size_t> done = 0;
  const FakeMethod method([&](const FitTask&, std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ++done;
    return 0.0;
  });
  EXPECT_TRUE(run(2, method, &store, [&] { return done >= 12; }).empty());
  EXPECT_LT(store.size(), fits);
  EXPECT_GT(store.size(), 0u);
}

TEST(SharedSearch, EqualsTheSearchOfOneProcess) {
  const FakeMethod method([](const FitTask& task, std::size_t units) {
    return static_cast<double>(task.seed % 97 + units) + std::stod(task.settings.at(0).second);
  });
  const Problem problem = read_problem(two_classes(), {}, std::nullopt);
  SearchOptions options;
  options.grid = {{{"a", {"1", "3", "2"}}}, {10, 20}};
  options.folds = 4;
  options.outer = 3;
  core::Workers one(1);
  const auto alone = search(problem, method, options, one);
  comm::run_ranks(3, [&](comm::Communicator& comm) {
    SearchOptions own = options;
    own.comm = &comm;
    core::Workers workers(1);
    const auto shared = search(problem, method, own, workers);
    EXPECT_EQ(shared.fits, alone.fits);
    EXPECT_EQ(shared.best().settings, alone.best().settings);
    ASSERT_EQ(shared.tried.size(), alone.tried.size());
    for (std::size_t i = 0; i < alone.tried.size(); ++i) EXPECT_EQ(shared.tried[i].scores, alone.tried[i].scores);
    for (std::size_t i = 0; i < alone.outer.size(); ++i) EXPECT_EQ(shared.outer[i].metrics, alone.outer[i].metrics);
  });
}

TEST(RecordBytes, ReadBackAsWritten) {
  const FitRecord some{.prefixes = {{3, {{"accuracy", 0.1}, {"auc", -0.0}}}, {7, {}}}, .units = 7, .seconds = 1e-300};
  const std::string bytes = to_bytes(some);
  const FitRecord read = parse_record(bytes);
  ASSERT_EQ(read.prefixes.size(), 2u);
  EXPECT_EQ(read.prefixes[0].metrics, some.prefixes[0].metrics);
  EXPECT_TRUE(std::signbit(read.prefixes[0].metrics[1].second));
  EXPECT_EQ(read.prefixes[1].units, 7u);
  EXPECT_EQ(read.units, 7u);
  EXPECT_EQ(read.seconds, 1e-300);
  EXPECT_TRUE(std::isnan(parse_record(to_bytes({.prefixes = {}, .units = 0, .seconds = std::nan("")})).seconds));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(parse_record(bytes.substr(0, size)), core::Error) << size;
  EXPECT_THROW(parse_record(bytes + "x"), core::Error);
}

}  // namespace
}  // namespace accrete::tune::shared_runs_test
