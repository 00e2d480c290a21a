// The guard of the Newton step (config::StepGuard) on a GPU. tests/boosting/newton_guard_test.cpp has the CPU's.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/boosting/samples.hpp"
#include "tests/cuda/single_fit.hpp"

namespace accrete::cuda::newton_guard_test {
namespace {

class CudaNewtonGuard : public CudaSingleFit {
 protected:
  /// At learning rate 1 a few rows stay wrong; an unguarded step of a block that moves them is thousands of times too
  /// long, and the loss ends far above that of the start score.
  FitSet make_guarded(const char* data, std::size_t rows, double subsample) {
    return make(data, rows, "paper", {.units = full_or_small(60, 30), .subsample = subsample}, full_or_small(40, 2));
  }
};

TEST_F(CudaNewtonGuard, KeepsManyFitsFromDiverging) {
  for (const auto& [data, rows, subsample] : {std::tuple{"ringnorm2", 134, 1.0}, std::tuple{"twonorm", 400, 0.5}}) {
    const FitSet set = make_guarded(data, static_cast<std::size_t>(rows), subsample);
    const double start_loss = grow(set, 0, {}).losses[0];
    const auto scores = fit_on_device(set);
    for (std::size_t seed = 0; seed < scores.size(); ++seed)
      EXPECT_LT(scores[seed].train_loss, start_loss) << data << " seed " << seed;
  }
}

TEST_F(CudaNewtonGuard, KeepsTheLossBelowThatOfTheStartScore) {
  const FitSet set = make_guarded("ringnorm2", 134, 1.0);
  for (std::size_t seed = 0; seed < full_or_small<std::size_t>(10, 1); ++seed) {
    const auto losses = grow(set, seed, {full_or_small<std::size_t>(60, 30)}).losses;
    EXPECT_LE(*std::ranges::max_element(losses), losses[0] * (1.0 + 1e-5)) << "seed " << seed;
    EXPECT_LT(losses.back(), 0.9 * losses[0]) << "seed " << seed;
  }
}

TEST_F(CudaNewtonGuard, HoldsForRowsWithoutCurvature) {
  const boosting::Sample s = boosting::nearly_right_sample();
  core::Workers workers(1);
  for (const char* objective : {"residual", "projected"}) {
    const config::Config given{.units = 6, .subsample = 1, .objective = objective, .gauss_newton = false};
    const config::ResolvedConfig config = config::configure("paper", s.task, given);
    const boosting::TrainTask task{
        .config = config, .data = s.data, .outputs = 1, .workers = workers, .device = device_.get()};
    network::Network network = boosting::start_network(task);
    network.append(boosting::saturated_block());
    const auto curve = boosting::train(task, network, {}, {}).curves.train;
    ASSERT_EQ(curve.size(), 7u);
    for (std::size_t t = 2; t < curve.size(); ++t)
      EXPECT_LE(curve[t], std::max(curve[t - 1], curve[0]) * (1.0 + 1e-5)) << objective << " step " << t;
  }
}

}  // namespace
}  // namespace accrete::cuda::newton_guard_test
