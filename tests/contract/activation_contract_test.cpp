// Property tests of every activation in the list.

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/activation/list.hpp"

namespace accrete::activation::activation_contract_test {
namespace {

template <class F>
void for_each_activation(F f) {
  for (std::size_t i = 0; i < All::size; ++i) {
    SCOPED_TRACE(All::names[i]);
    All::visit(i, f);
  }
}

TEST(ActivationContract, SlopeIsTheDerivative) {
  for_each_activation([](auto a) {
    constexpr double h = 1e-6;
    for (double z = -12.0; z <= 12.0; z += 0.0371) {
      if (std::abs(z) < 2 * h) continue;  // relu is not differentiable at 0
      const double difference = (a.value(z + h) - a.value(z - h)) / (2 * h);
      // Error of the difference: h^2/6 times the third derivative, plus 1e-16/h of rounding.
      EXPECT_NEAR(a.slope(a.value(z)), difference, 1e-9 * (1 + std::abs(z))) << "z " << z;
    }
  });
}

TEST(ActivationContract, FloatAgreesWithDouble) {
  for_each_activation([](auto a) {
    for (float z = -30.0f; z <= 30.0f; z += 0.0173f) {
      const double wanted = a.value(static_cast<double>(z));
      EXPECT_NEAR(a.value(z), wanted, 5e-7 * std::abs(wanted) + 1e-37) << "z " << z;
      EXPECT_NEAR(a.slope(a.value(z)), a.slope(wanted), 5e-7) << "z " << z;
    }
  });
}

TEST(ActivationContract, StaysFiniteWithNonNegativeSlopeForHugeInputs) {
  for_each_activation([](auto a) {
    for (float z : {1e4f, -1e4f, 1e30f, -1e30f, 0.0f}) {
      EXPECT_TRUE(std::isfinite(a.value(z))) << "z " << z;
      EXPECT_TRUE(std::isfinite(a.slope(a.value(z))) && a.slope(a.value(z)) >= 0.0f) << "z " << z;
    }
  });
}

TEST(ActivationContract, IsFoundByName) {
  for (std::size_t i = 0; i < All::size; ++i) EXPECT_EQ(Activation::named(All::names[i]).index, i);
  EXPECT_ANY_THROW(Activation::named("swish"));
}

}  // namespace
}  // namespace accrete::activation::activation_contract_test
