#include "accrete/network/plain.hpp"

#include <gtest/gtest.h>

#include "tests/baseline/reference.hpp"

namespace accrete::network::plain_test {
namespace {

TEST(PlainShape, LaysOutLayersContiguously) {
  const PlainShape shape({5, 3, 2});
  EXPECT_EQ(shape.layers(), 2u);
  EXPECT_EQ(shape.bias_at(0), 15u);
  EXPECT_EQ(shape.weights_at(1), 18u);
  EXPECT_EQ(shape.bias_at(1), 24u);
  EXPECT_EQ(shape.size(), 26u);
  EXPECT_EQ(shape.hidden_units(), 3u);
  EXPECT_EQ(shape.widest(), 5u);
}

TEST(PlainNetwork, ScoresMatchTheFormula) {
  for (const char* activation : activation::All::names)
    for (const auto& widths : std::vector<std::vector<std::size_t>>{{3, 2}, {4, 7, 1}, {130, 20, 9, 33, 5}}) {
      const auto c = baseline::make_case(widths, activation, "squared", 300);
      const auto p = baseline::random_parameters(c.shape);
      const PlainNetwork network{c.activation, c.shape, {p.begin(), p.end()}};
      for (const std::size_t threads : {1, 2}) {
        core::Workers workers(threads);
        const auto scores = forward(network, c.data.features.stored(), workers);
        for (std::size_t r = 0; r < 300; ++r) {
          const auto wanted = baseline::layer_outputs(c, p, r).back();
          for (std::size_t k = 0; k < wanted.size(); ++k)
            ASSERT_NEAR(scores(r, k), wanted[k], 2e-4 * (1 + std::abs(wanted[k]))) << activation << " row " << r;
        }
      }
    }
}

}  // namespace
}  // namespace accrete::network::plain_test
