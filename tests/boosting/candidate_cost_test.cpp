// How candidates are compared: handicaps of settings without bins, and of light penalties where little is learnt.

#include "accrete/boosting/choose/candidate_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace accrete::boosting::candidate_cost_test {
namespace {

Candidate with_losses(std::uint64_t bins, double alpha, std::vector<double> losses) {
  Candidate candidate;
  candidate.config.bins = bins;
  candidate.config.alpha = alpha;
  candidate.held_out_loss = std::move(losses);
  return candidate;
}

TEST(CandidateCost, ComparesLossesAsTheyAreOnAllRows) {
  const CandidateCost cost{.chooses_length = true};
  EXPECT_EQ(cost.handicapped_cost(with_losses(0, 1.0, {1.0, 0.5, 0.6})), 0.5);
  EXPECT_EQ(cost.handicapped_cost(with_losses(64, 1.0, {1.0, 0.5, 0.6})), 0.5);
}

/// 2 % of the loss per doubling without bins and 0.6 % with few, but at most a tenth of what was learnt.
TEST(CandidateCost, ExpectsBinsToGainWithRowsAndSteps) {
  const CandidateCost cost{.doublings = 4.0};
  EXPECT_NEAR(cost.handicapped_cost(with_losses(0, 1.0, {1.0, 0.5})), 0.5 * (1.0 + 4 * 0.02), 1e-12);
  EXPECT_NEAR(cost.handicapped_cost(with_losses(32, 1.0, {1.0, 0.5})), 0.5 * (1.0 + 4 * 0.006), 1e-12);
  EXPECT_NEAR(cost.handicapped_cost(with_losses(0, 1.0, {1.0, 0.9})), 0.9 + 4 * 0.1 * 0.1, 1e-12);
  EXPECT_EQ(cost.handicapped_cost(with_losses(64, 1.0, {1.0, 0.5})), 0.5);
}

/// However many doublings, what is learnt still counts.
TEST(CandidateCost, KeepsTheOrderOfCandidatesWithEqualBins) {
  const CandidateCost cost{.doublings = 12.0};
  EXPECT_LT(cost.handicapped_cost(with_losses(0, 1.0, {1.0, 0.85})),
            cost.handicapped_cost(with_losses(0, 1.0, {1.0, 0.88})));
}

TEST(CandidateCost, PrefersHeavyPenaltiesWhereLittleIsLearnt) {
  const CandidateCost cost{.is_weak = true};
  EXPECT_GT(cost.handicapped_cost(with_losses(64, 1.0, {1.0, 0.96})),
            cost.handicapped_cost(with_losses(0, 100.0, {1.0, 0.97})));
}

TEST(CandidateCost, IsInfiniteIfTheFitDiverged) {
  EXPECT_TRUE(std::isinf(CandidateCost{}.handicapped_cost(with_losses(64, 1.0, {1.0, NAN}))));
  EXPECT_TRUE(std::isinf(CandidateCost{}.handicapped_cost(with_losses(64, 1.0, {}))));
}

}  // namespace
}  // namespace accrete::boosting::candidate_cost_test
