#include "report/charts/ranks.hpp"

#include <gtest/gtest.h>

namespace accrete::report::charts_ranks_test {
namespace {

// Demšar (2006), section 3.2.2: C4.5 with and without tuning of two parameters, over 14 data sets.
const std::vector<double> demsar{3.143, 2.000, 2.893, 1.964};

TEST(RankLayout, GroupsDemsarsExample) {
  EXPECT_EQ(rank_groups(demsar, 1.25), (std::vector<RankGroup>{{1.964, 3.143, 0}})) << "none differ at the 5 % level";
  EXPECT_EQ(rank_groups(demsar, 1.12), (std::vector<RankGroup>{{1.964, 2.893, 0}, {2.893, 3.143, 1}}))
      << "at the 10 % level the tuned ones differ from the plain one; only cf is in both groups";
}

TEST(RankLayout, KeepsOnlyMaximalGroups) {
  EXPECT_TRUE(rank_groups(std::vector<double>{1.0, 2.0, 3.0}, 1.0).empty()) << "at the critical distance they differ";
  EXPECT_EQ(rank_groups(std::vector<double>{1.0, 1.5, 2.0, 4.0, 4.5}, 1.2),
            (std::vector<RankGroup>{{1.0, 2.0, 0}, {4.0, 4.5, 0}}))
      << "bars that do not overlap share a level, and a subset of a group is not a group";
  EXPECT_EQ(rank_groups(std::vector<double>{2.0, 1.0, 3.0, 4.0}, 2.5),
            (std::vector<RankGroup>{{1.0, 3.0, 0}, {2.0, 4.0, 1}}));
  EXPECT_TRUE(rank_groups(std::vector<double>{1.0}, 3.0).empty());
}

TEST(RankLayout, AvoidsCrossingLines) {
  const RankLayout layout = rank_layout({"t", {"c", "a", "e", "b", "d"}, {3.0, 1.0, 5.0, 2.0, 4.0}, 0.5});
  std::string names;
  for (const RankLeader& leader : layout.leaders) names += leader.name;
  EXPECT_EQ(names, "abcde");
  EXPECT_TRUE(layout.leaders[2].left);
  EXPECT_FALSE(layout.leaders[3].left);
  // A line leads down from its rank and out to its side, so lines nearer to the edge must end higher.
  EXPECT_LT(layout.leaders[0].level, layout.leaders[1].level);
  EXPECT_LT(layout.leaders[1].level, layout.leaders[2].level);
  EXPECT_GT(layout.leaders[3].level, layout.leaders[4].level);
  EXPECT_EQ(layout.levels, 0u);
}

}  // namespace
}  // namespace accrete::report::charts_ranks_test
