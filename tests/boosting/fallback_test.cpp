// The model of the choice, in place of a fit that the time limit cut short.

#include <gtest/gtest.h>

#include "accrete/boosting/train_model.hpp"
#include "tests/network/random_network.hpp"

namespace accrete::boosting::fallback_test {
namespace {

network::Network network_of(std::size_t steps) {
  network::Network network = network::random_network(2, 1, 20, "tanh");
  network.truncate(steps);
  return network;
}

/// A fallback of three steps, whose losses on held-out rows are 1, 0.9, 0.8 and `last`.
ChosenSettings choice_with(double last) {
  ChosenSettings chosen{.config = {}, .held_out_loss = {1.0, 0.9, 0.8, last}, .fallback = FallbackModel{}};
  chosen.fallback->model.network = network_of(3);
  return chosen;
}

FitResult result_of(std::size_t steps) {
  FitResult result;
  result.model.network = network_of(steps);
  return result;
}

TEST(Fallback, IsBetterIfItsMoreStepsAreWorthMoreThanTheRows) {
  EXPECT_TRUE(is_fallback_better(choice_with(0.7), result_of(1)));
  EXPECT_FALSE(is_fallback_better(choice_with(0.88), result_of(1))) << "two per cent";
  EXPECT_FALSE(is_fallback_better(choice_with(0.7), result_of(3))) << "as many steps";
}

TEST(Fallback, OfASampleReplacesOnlyAnEmptyResult) {
  ChosenSettings chosen = choice_with(0.7);
  chosen.is_of_sample = true;
  EXPECT_FALSE(is_fallback_better(chosen, result_of(1)));
  EXPECT_TRUE(is_fallback_better(chosen, result_of(0)));
}

}  // namespace
}  // namespace accrete::boosting::fallback_test
