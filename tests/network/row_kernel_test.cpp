#include "accrete/network/kernels/row_kernel.hpp"

#include <gtest/gtest.h>

#include "accrete/network/forward.hpp"
#include "tests/network/random_network.hpp"
#include "tests/network/single_target.hpp"

namespace accrete::network::row_kernel_test {
namespace {

std::vector<float> row_of(const core::TiledMatrix& x, std::size_t row) {
  std::vector<float> values(x.cols());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = x.at(row, i);
  return values;
}

void expect_scores(const Network& network, const core::TiledMatrix& x, std::size_t row, std::size_t steps) {
  std::vector<double> scores(network.outputs());
  forward_row(network, row_of(x, row), steps, scores);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const auto expected = expected_score(network, network.units_after(steps), network.bias_after(steps)[k], x, row, k);
    ASSERT_NEAR(scores[k], expected.value, expected.tolerance) << "steps " << steps << " output " << k;
  }
}

TEST(RowKernel, ScoresOfEveryPrefixMatchTheFormula) {
  for (const char* activation : activation::All::names)
    for (const std::size_t outputs : {1, 3})
      for (const std::size_t features : {1, 3, 8, 30}) {
        SCOPED_TRACE(std::string(activation) + ", features " + std::to_string(features));
        // More than 256 units take several passes.
        const Network network = random_network(features, outputs, features == 8 ? 300 : 90, activation);
        const auto x = random_rows(3, features);
        for (std::size_t steps = 0; steps <= network.steps(); ++steps) expect_scores(network, x, steps % 3, steps);
      }
}

TEST(RowKernel, ScoresMatchOnEveryInstructionSet) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const SingleTarget single(target);
    const Network network = random_network(9, 3, 90, "tanh");
    const auto x = random_rows(2, 9);
    for (std::size_t steps = 0; steps <= network.steps(); ++steps) expect_scores(network, x, steps % 2, steps);
  }
}

TEST(RowKernel, InterleavedWeightsFollowAppendAndTruncate) {
  const Network full = random_network(6, 2, 60, "tanh");
  const auto x = random_rows(1, 6);
  Network network = full;
  for (const std::size_t steps : {9, 4, 0}) {
    network.truncate(steps);
    expect_scores(network, x, 0, steps);
    Network again = network;
    for (std::size_t s = steps; s < full.steps(); s += 2) again.append(full.block(s));
    expect_scores(again, x, 0, again.steps());
  }
  const Network loaded(Network::Arrays{.activation = full.activation(),
                                       .features = full.features(),
                                       .outputs = full.outputs(),
                                       .step_ends = {full.step_ends().begin(), full.step_ends().end()},
                                       .hidden_weights = {full.hidden_weights().begin(), full.hidden_weights().end()},
                                       .hidden_bias = {full.hidden_bias().begin(), full.hidden_bias().end()},
                                       .output_weights = {full.output_weights().begin(), full.output_weights().end()},
                                       .prefix_bias = {full.prefix_bias().begin(), full.prefix_bias().end()}});
  expect_scores(loaded, x, 0, loaded.steps());
}

}  // namespace
}  // namespace accrete::network::row_kernel_test
