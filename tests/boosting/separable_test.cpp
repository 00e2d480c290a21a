// Separable data drives scores towards infinity; everything must stay finite.

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/core/math.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting::separable_test {
namespace {

void expect_finite(const char* kind, const char* objective) {
  SCOPED_TRACE(std::string(kind) + " " + objective);
  Sample s = make_sample(kind, 60);
  for (std::size_t r = 0; r < 60; ++r) {
    const double x = s.data.features.at(r, 0);
    s.data.targets(r, 0) = s.task == data::Task::binary ? x > 0 : x < -0.4 ? 0.0 : x < 0.4 ? 1.0 : 2.0;
  }
  const config::Config settings{.units = 2000, .learning_rate = 1, .objective = objective};
  const config::ResolvedConfig config = config::configure("paper", s.task, settings);
  const auto result = train_on(s, config);
  ASSERT_EQ(result.network.units(), 2000u);
  const auto finite = [](auto values) { return std::ranges::all_of(values, [](auto v) { return std::isfinite(v); }); };
  EXPECT_TRUE(finite(result.network.hidden_weights()));
  EXPECT_TRUE(finite(result.network.hidden_bias()));
  EXPECT_TRUE(finite(result.network.output_weights()));
  EXPECT_TRUE(finite(result.network.prefix_bias()));
  EXPECT_TRUE(finite(result.curves.train));
  for (const auto& scores : staged(result.network, s)) ASSERT_TRUE(finite(scores.flat()));
  // A Newton step per class at rate 1 on half of sixty rows overshoots, in double precision too, so the loss need not
  // fall.
  if (s.task == data::Task::binary || config.objective == "direct") {
    EXPECT_LT(result.curves.train.back(), 0.05);
  }
}

TEST(SlowSeparable, TwoClassesStayFiniteOverTwoThousandUnits) {
  expect_finite("binary", "residual");
}
TEST(SlowSeparable, ThreeClassesStayFiniteOverTwoThousandUnits) {
  expect_finite("three", "residual");
}
TEST(SlowSeparable, DirectObjectiveStaysFiniteOverTwoThousandUnits) {
  expect_finite("binary", "direct");
}
TEST(SlowSeparable, DirectMulticlassStaysFiniteOverTwoThousandUnits) {
  expect_finite("three", "direct");
}

}  // namespace
}  // namespace accrete::boosting::separable_test
