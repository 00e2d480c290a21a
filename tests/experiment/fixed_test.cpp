#include "accrete/experiment/fixed.hpp"

#include <gtest/gtest.h>

#include "accrete/tune/contender.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::experiment::fixed_test {
namespace {

class FixedTest : public InventedTest {
 protected:
  FixedTest() { write_invented(folder_ / "data", {"iris"}); }

  std::vector<tune::FitRecord> run(const ExperimentOptions& options, const std::string& words = "",
                                   std::size_t threads = 2) {
    core::Workers workers(threads);
    const LoadedTask data(task_named("iris"), load(task_named("iris"), path("data"), workers));
    TaskSplits parts = split_task(data, 3, 0);
    parts.text = words + parts.text;
    RunCounter ledger(options);
    const FixedFits fits{data, method_named("lbfgs"), {{{"hidden", "2"}}, {{"hidden", "7"}}}, {tune::whole_model}, 1.0};
    ledger.plan(batch_of(fits, parts));
    auto records = run_fixed(fits, parts, options, ledger, workers);
    counts_ = ledger.counts(records.empty());
    return records;
  }

  RunCounts counts_;
};

TEST_F(FixedTest, PointByPointPartByPart) {
  const auto records = run(options({}, {}));
  ASSERT_EQ(records.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(records[i].units, i < 3 ? 2u : 7u);
    EXPECT_GT(records[i].seconds, 0.0);
  }
  const auto alone = run(options({}, {}, "other.sqlite"), "", 1);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(alone[i].prefixes[0].metrics, records[i].prefixes[0].metrics);
}

TEST_F(FixedTest, WhatIsThereIsNotDoneAgainUnlessCutOtherwise) {
  const auto first = run(options({}, {}));
  EXPECT_EQ(counts_.found, 0u);
  const auto again = run(options({}, {}));
  EXPECT_EQ(counts_.found, 6u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(again[i].seconds, first[i].seconds) << "stored seconds are not measured again";
  run(options({}, {}), "times ");
  EXPECT_EQ(counts_.found, 0u);
}

TEST_F(FixedTest, StopsWithNothing) {
  auto stopping = options({}, {});
  std::size_t fits = 0;
  stopping.on_progress = [&](const RunProgress& at) { fits = at.fits; };
  stopping.stop = [&] { return fits >= 2; };
  EXPECT_TRUE(run(stopping, "", 1).empty());
  EXPECT_EQ(counts_.fits, 2u);
}

}  // namespace
}  // namespace accrete::experiment::fixed_test
