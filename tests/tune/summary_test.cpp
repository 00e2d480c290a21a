#include "accrete/tune/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace accrete::tune::summary_test {
namespace {

TEST(Summary, OfKnownNumbers) {
  const Summary s = summarise(std::vector<double>{1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(s.mean, 2.5);
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(5.0 / 3.0));
  EXPECT_DOUBLE_EQ(s.se, s.sd / 2.0);
  EXPECT_EQ(summarise(std::vector<double>{7}).sd, 0.0);
  EXPECT_TRUE(std::isnan(summarise({}).mean));
}

TEST(Tally, CountsWhatIsFarEnough) {
  const std::vector<Summary> differences{{0.3, 0, 0.1}, {0.1, 0, 0.1}, {-0.05, 0, 0.1}, {-0.21, 0, 0.1}, {0.0, 0, 0.0}};
  EXPECT_EQ(tally(differences, 2.0, Better::higher), (Tally{1, 3, 1}));
  EXPECT_EQ(tally(differences, 2.0, Better::lower), (Tally{1, 3, 1}));
  EXPECT_EQ(tally(differences, 0.0, Better::higher), (Tally{2, 1, 2}))
      << "equal scores are a tie even if no distance is required";
  EXPECT_EQ(tally(differences, 2.5, Better::lower), (Tally{0, 4, 1}));
}

}  // namespace
}  // namespace accrete::tune::summary_test
