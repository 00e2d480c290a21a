// The estimate of the time that choosing and the fit after it still take.

#include "accrete/boosting/choose/choosing_work.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace accrete::boosting::choosing_work_test {
namespace {

/// Two candidates that the plan of a large table compares on one fold of half the rows: 8 steps each, then 20 steps of
/// all rows. One thread.
struct Comparison {
  Comparison() {
    fold.train.features = data::Features(core::TiledMatrix(500, 4));
    fold.train.targets = core::Matrix<double>(500, 1);
    plan.config.units = 320;
    plan.config.units_per_step = 16;
    plan.rungs = {8, 8, 4, 6};
    for (Candidate& candidate : candidates) {
      candidate.folds = {&fold};
      left.push_back(&candidate);
    }
  }

  void take(std::size_t candidate, std::size_t steps, double seconds) {
    candidates[candidate].times->steps += steps;
    candidates[candidate].times->seconds += seconds * static_cast<double>(steps);
  }

  double left_now(bool chooses_length = false, std::size_t rung = 8, std::size_t refinements = 0,
                  std::size_t threads = 1) const {
    return seconds_left({.plan = plan,
                         .left = left,
                         .candidates = 2,
                         .folds = 1,
                         .outputs = 1,
                         .max_steps = 40,
                         .rung = rung,
                         .chooses_length = chooses_length,
                         .extension = 2,
                         .refinements = refinements,
                         .rows = 1000,
                         .threads = threads});
  }

  EncodedSplit fold;
  SearchPlan plan{
      .settings = {}, .config = {}, .max_rows = 0, .max_folds = 1, .max_growth = 1, .rungs = {}, .is_large = true};
  Candidate candidates[2];
  std::vector<Candidate*> left;
};

TEST(ChoosingWork, IsUnknownBeforeTheFirstStep) {
  EXPECT_TRUE(std::isnan(Comparison().left_now()));
}

TEST(ChoosingWork, CountsTheStepsThatAreLeftAndTheFit) {
  Comparison c;
  c.take(0, 6, 0.5);
  // 2 steps of this candidate, 8 of the other, which is thought to be as fast, and 20 of twice the rows.
  EXPECT_NEAR(c.left_now(), 2 * 0.5 + 8 * 0.5 + 20 * 2 * 0.5, 1e-9);
}

TEST(ChoosingWork, CountsTheSecondRungOfTheBetterHalf) {
  Comparison c;
  c.plan.rungs = {8, 20, 4, 6};
  c.take(0, 6, 0.5);
  EXPECT_NEAR(c.left_now(), 2 * 0.5 + 8 * 0.5 + (20 - 8) * 0.5 + 20 * 2 * 0.5, 1e-9);
}

TEST(ChoosingWork, CountsTheRefinementsThatAreLeft) {
  Comparison c;
  c.take(0, 8, 0.5);
  c.left = {&c.candidates[0]};
  EXPECT_NEAR(c.left_now(false, 8, 3), 3 * 8 * 0.5 + 20 * 2 * 0.5, 1e-9);
}

/// A refinement grows while the best candidate waits, so two threads do not run two fits.
TEST(ChoosingWork, RunsARefinementAlone) {
  Comparison c;
  c.take(0, 8, 0.5);
  c.candidates[0].held_out_loss.assign(9, 1.0);
  c.take(1, 4, 0.5);
  c.candidates[1].held_out_loss.assign(5, 1.0);
  const double before = c.left_now(false, 8, 0, 2);
  c.take(1, 2, 0.5);
  c.candidates[1].held_out_loss.assign(7, 1.0);
  EXPECT_NEAR(before - c.left_now(false, 8, 0, 2), 2 * 0.5, 1e-9);
}

TEST(ChoosingWork, CountsNoRungThatTheBestCandidateHasPassed) {
  Comparison c;
  c.left = {&c.candidates[0]};
  c.take(0, 12, 1.0);
  for (int step = 0; step <= 12; ++step) c.candidates[0].held_out_loss.push_back(step < 10 ? 10.0 - step : 0.0);
  // Without improvement since step 10, it ends at step 16, which is the rung, or at 40; the longer, the likelier 16.
  const double waiting = 2.0 / 6.0, length = 16.0 * std::pow(40.0 / 16.0, (1.0 - waiting) * (1.0 - waiting));
  EXPECT_NEAR(c.left_now(true, 16), (length - 12) + 2 * (length - 3), 1e-9);
}

TEST(ChoosingWork, MeasuresEveryCandidateByItself) {
  Comparison c;
  c.take(0, 8, 0.5);
  c.take(1, 6, 2.5);
  EXPECT_NEAR(c.left_now(), 2 * 2.5 + 20 * 2 * 1.5, 1e-9) << "the winner is not known";
  c.take(1, 2, 2.5);
  c.left = {&c.candidates[1]};
  EXPECT_NEAR(c.left_now(), 20 * 2 * 2.5, 1e-9);
}

TEST(ChoosingWork, ExpectsAllUnitsWhileTheLossFalls) {
  Comparison c;
  c.left = {&c.candidates[0]};
  c.take(0, 8, 1.0);
  for (int step = 0; step <= 8; ++step) c.candidates[0].held_out_loss.push_back(10.0 - step);
  EXPECT_NEAR(c.left_now(true), 32 + 2 * 40, 1e-9);
  // After six steps without improvement it ends.
  c.candidates[0].held_out_loss = {10.0, 9.0, 8.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0};
  EXPECT_NEAR(c.left_now(true), 2 * (8 - 3), 1e-9);
}

TEST(IsFalling, ComparesTheLastThird) {
  EXPECT_FALSE(is_falling({}));
  EXPECT_TRUE(is_falling(std::vector{4.0, 3.0, 2.0, 1.0}));
  EXPECT_FALSE(is_falling(std::vector{4.0, 3.0, 2.0, 1.99}));
  EXPECT_TRUE(is_falling(std::vector{-1.0, -2.0, -3.0, -4.0}));
}

}  // namespace
}  // namespace accrete::boosting::choosing_work_test
