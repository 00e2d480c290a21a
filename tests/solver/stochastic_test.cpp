#include "accrete/solver/stochastic.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "accrete/solver/adam.hpp"

namespace accrete::solver::stochastic_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Stochastic, StopsAtItsBestPointWhereAValueOrAGradientIsNotFinite) {
  for (const bool in_gradient : {false, true}) {
    SolverOptions options;
    options.batches = 1;
    const std::array start{1.0, -2.0};
    std::vector<double> workspace(Adam::workspace_size(2, options));
    Adam adam(options, start, workspace);
    ASSERT_TRUE(adam.tell(3.0, std::array{0.5, 0.5}));
    const std::vector<double> moved(adam.point().begin(), adam.point().end());
    EXPECT_NE(moved[0], start[0]);
    const std::array gradient{0.5, in_gradient ? nan : 0.5};
    EXPECT_FALSE(adam.tell(in_gradient ? 2.0 : nan, gradient));
    EXPECT_EQ(adam.reason(), Reason::no_progress);
    for (const double x : adam.best()) EXPECT_EQ(x, x) << "not NaN";
  }
}

}  // namespace
}  // namespace accrete::solver::stochastic_test
