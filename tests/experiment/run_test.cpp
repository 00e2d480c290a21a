#include "accrete/experiment/run.hpp"

#include <gtest/gtest.h>

#include "tests/experiment/invented.hpp"

namespace accrete::experiment::run_test {
namespace {

class LedgerTest : public InventedTest {};

TEST_F(LedgerTest, CountsFitsAndWeighsWork) {
  std::vector<RunProgress> told;
  auto run = options({}, {});
  run.on_progress = [&](const RunProgress& at) { told.push_back(at); };
  RunCounter ledger(run);
  const RunCounter::FitBatch light{"iris", "adam", 4, 1.0}, heavy{"magic", "deep", 2, 8.0};
  ledger.plan(light);
  ledger.plan(heavy);
  ledger.begin(light);
  ledger.progress(2);
  ledger.end(4, 3);
  ledger.begin(heavy);
  ledger.progress(1);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].fits, 2u);
  EXPECT_EQ(told[0].planned, 6u);
  EXPECT_EQ(told[0].task, "iris");
  EXPECT_DOUBLE_EQ(told[0].work, 2.0 / 20.0);
  EXPECT_EQ(told[1].fits, 5u);
  EXPECT_EQ(told[1].method, "deep");
  EXPECT_DOUBLE_EQ(told[1].work, 12.0 / 20.0);
  ledger.end(1, 0);
  const RunCounts counts = ledger.counts(true);
  EXPECT_EQ(counts.fits, 5u);
  EXPECT_EQ(counts.found, 3u);
  EXPECT_EQ(counts.planned, 6u);
  EXPECT_TRUE(counts.stopped);
}

TEST_F(LedgerTest, WhatIsKeptIsTold) {
  std::vector<std::string> told;
  auto run = options({}, {});
  run.on_result = [&](const StoredResult& kept) { told.push_back(kept.metric); };
  keep(run, {{"table", "quick", "iris", "adam"}, "{}"}, {"iris", "adam", "accuracy", {}});
  EXPECT_EQ(told, std::vector<std::string>{"accuracy"});
  ASSERT_EQ(run.store->results().size(), 1u);
  EXPECT_EQ(run.store->results().front().key.task, "iris");
}

}  // namespace
}  // namespace accrete::experiment::run_test
