// The guards of the Newton step: no fit diverges because a few rows have almost no curvature.

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/boosting/fit.hpp"
#include "accrete/data/generate.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting::newton_guard_test {
namespace {

struct GeneratedTask {
  const char* data;
  std::size_t rows;
  double subsample;
};

/// After twenty units a few rows are wrong and all others right: an unguarded Newton step of a block that moves the few
/// is thousands of times too long.
void expect_no_divergence(const GeneratedTask& task, std::uint64_t seeds) {
  core::Workers workers(1);
  std::size_t risen = 0;  // rounding decides on single seeds
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    FitOptions options;
    options.preset = "paper";
    options.config = {.units = 60, .subsample = task.subsample, .seed = seed};
    options.workers = &workers;
    const auto fitted = fit(data::generator_named(task.data).make(task.rows, seed), options);
    const auto& curve = fitted.model.provenance.train_loss;
    EXPECT_LE(*std::ranges::max_element(curve), curve.front() * (1.0 + 1e-5)) << task.data << " seed " << seed;
    risen += curve.back() >= curve[20] ? 1 : 0;
  }
  EXPECT_LE(risen, 1u) << task.data;
}

TEST(NewtonGuard, KeepsFitsAtFullRateFromDiverging) {
  expect_no_divergence({"ringnorm2", 100, 1.0}, 40);
  expect_no_divergence({"ringnorm2", 200, 0.5}, 60);
  expect_no_divergence({"twonorm", 300, 0.5}, 40);
}

TEST(NewtonGuard, HoldsForRowsWithoutCurvatureOnEveryBackend) {
  const Sample s = nearly_right_sample();
  core::Workers workers(1);
  for (const auto& backend : backend::backends())
    for (const char* objective : {"residual", "projected"}) {
      const config::Config given{.units = 6, .subsample = 1, .objective = objective, .gauss_newton = false};
      const config::ResolvedConfig config = config::configure("paper", s.task, given);
      const TrainTask task{.config = config, .data = s.data, .outputs = 1, .backend = backend.name, .workers = workers};
      network::Network network = start_network(task);
      network.append(saturated_block());
      const auto curve = train(task, network, {}, {}).curves.train;
      ASSERT_EQ(curve.size(), 7u);
      for (std::size_t t = 2; t < curve.size(); ++t)
        EXPECT_LE(curve[t], std::max(curve[t - 1], curve[0]) * (1.0 + 1e-5)) << backend.name << " " << objective << t;
    }
}

}  // namespace
}  // namespace accrete::boosting::newton_guard_test
