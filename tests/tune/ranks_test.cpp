#include "accrete/tune/statistics/ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "accrete/core/error.hpp"
#include "tests/tune/demsar.hpp"

namespace accrete::tune::ranks_test {
namespace {

using List = std::vector<double>;

TEST(Ranks, BestIsOneAndEqualsShare) {
  EXPECT_EQ(ranks(List{0.3, 0.1, 0.2}, Better::higher), (List{1, 3, 2}));
  EXPECT_EQ(ranks(List{0.3, 0.1, 0.2}, Better::lower), (List{3, 1, 2}));
  EXPECT_EQ(ranks(List{5, 7, 5, 7, 7, 1}, Better::lower), (List{2.5, 5, 2.5, 5, 5, 1}));
  EXPECT_EQ(ranks(List{INFINITY, 1, INFINITY}, Better::lower), (List{2.5, 1, 2.5}));
}

TEST(Ranks, SumIsThatOfThePlaces) {
  const List values{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  const List both = ranks(values, Better::higher);
  EXPECT_DOUBLE_EQ(std::accumulate(both.begin(), both.end(), 0.0), 66.0);
}

TEST(Ranks, AveragesOfDemsar) {
  const auto mean = average_ranks(demsar_scores(), Better::higher);
  const List printed{3.143, 2.000, 2.893, 1.964};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(mean[i], printed[i], 5e-4);
}

TEST(Ranks, Refusals) {
  EXPECT_THROW(ranks(List{1, NAN}, Better::lower), core::DataError);
  EXPECT_THROW(average_ranks(core::Matrix<double>(0, 3), Better::lower), core::DataError);
}

}  // namespace
}  // namespace accrete::tune::ranks_test
