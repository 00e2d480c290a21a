#include "accrete/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/thrown_message.hpp"

namespace accrete::core::parallel_test {
namespace {

TEST(Workers, RunsEveryTaskOnce) {
  for (const std::size_t threads : {1u, 2u, 3u, 4u, 8u}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (const std::size_t tasks : {0u, 1u, 2u, 3u, 7u, 64u, 1000u}) {
      // Plain integers: run() must also order the tasks' writes before its return.
      std::vector<int> times(tasks, 0);
      workers.run(tasks, [&](std::size_t i) { ++times[i]; });
      for (std::size_t i = 0; i < tasks; ++i) ASSERT_EQ(times[i], 1) << threads << " threads, task " << i;
    }
  }
}

TEST(Workers, UsesAllHardwareThreadsForZero) {
  EXPECT_GE(hardware_threads(), 1u);
  EXPECT_EQ(Workers(0).threads(), hardware_threads());
}

TEST(Workers, RunsOnTheCallerWithOneThread) {
  Workers workers(1);
  workers.run(5, [caller = std::this_thread::get_id()](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(Workers, TellTheObserverAfterTasksOfTheCaller) {
  for (const std::size_t threads : {1u, 3u}) {
    Workers workers(threads);
    std::size_t calls = 0, last = 0;
    const auto caller = std::this_thread::get_id();
    workers.observe([&](std::size_t done, std::size_t tasks) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(tasks, 100u);
      EXPECT_GT(done, last);
      last = done;
      ++calls;
    });
    workers.run(100, [](std::size_t) {});
    EXPECT_GT(calls, 0u);
    if (threads == 1) {
      EXPECT_EQ(calls, 100u);
    }
    std::atomic<std::size_t> ran{0};
    workers.observe([](std::size_t, std::size_t) { throw std::runtime_error("stop"); });
    EXPECT_EQ(thrown_message<std::runtime_error>([&] { workers.run(1'000'000, [&](std::size_t) { ++ran; }); }), "stop");
    EXPECT_LT(ran, 1'000'000u);
    workers.observe({});
    workers.run(5, [](std::size_t) {});
  }
}

TEST(Workers, RunsManyShortTaskListsInSequence) {
  Workers workers(4);
  long total = 0;
  std::vector<long> parts(16);
  for (long round = 0; round < 2000; ++round) {
    workers.run(parts.size(), [&](std::size_t i) { parts[i] = round + static_cast<long>(i); });
    for (const long part : parts) total += part;
  }
  EXPECT_EQ(total, 16L * (1999L * 2000L / 2L) + 2000L * 120L);
}

TEST(Workers, RethrowsAnExceptionAndStaysUsable) {
  for (const std::size_t threads : {1u, 2u, 4u}) {
    Workers workers(threads);
    for (const std::size_t bad : {0u, 50u, 99u}) {
      const auto task = [&](std::size_t i) {
        if (i == bad) throw std::runtime_error("task " + std::to_string(i));
      };
      EXPECT_EQ(thrown_message<std::runtime_error>([&] { workers.run(100, task); }), "task " + std::to_string(bad));
      std::atomic<int> ran{0};
      workers.run(100, [&](std::size_t) { ++ran; });
      EXPECT_EQ(ran, 100);
    }
  }
}

TEST(Workers, RethrowsOneOfManyExceptions) {
  Workers workers(4);
  for (int round = 0; round < 100; ++round)
    EXPECT_THROW(workers.run(64, [](std::size_t) { throw std::logic_error("all"); }), std::logic_error);
}

TEST(Workers, JoinsThreadsThatNeverRan) {
  for (int i = 0; i < 50; ++i) Workers workers(4);
}

}  // namespace
}  // namespace accrete::core::parallel_test
