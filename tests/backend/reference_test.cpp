// The reference backend computes in double, where the derivative of a saturated unit is tiny instead of zero.

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/boosting/fit.hpp"
#include "accrete/data/generate.hpp"

namespace accrete::backend::reference_test {
namespace {

TEST(ReferenceBackend, KeepsWeightsFiniteInGaussNewtonSteps) {
  core::Workers workers(1);
  boosting::FitOptions options;
  options.preset = "paper";
  options.backend = "reference";
  options.config.subsample = 1.0;
  options.workers = &workers;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    options.config.seed = seed;
    const auto model = boosting::fit(data::generator_named("ringnorm2").make(100, seed), options).model;
    for (const float weight : model.network.hidden_weights()) ASSERT_TRUE(std::isfinite(weight)) << "seed " << seed;
    for (const float bias : model.network.hidden_bias()) ASSERT_TRUE(std::isfinite(bias)) << "seed " << seed;
    EXPECT_LT(model.provenance.train_loss.back(), 0.3) << "seed " << seed;
  }
}

}  // namespace
}  // namespace accrete::backend::reference_test
