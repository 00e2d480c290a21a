#include "accrete/network/row_kernel.hpp"

#include <gtest/gtest.h>

#include "accrete/network/forward.hpp"
#include "tests/network/grown_network.hpp"

namespace accrete::network {
namespace {

std::vector<float> row_of(const core::TiledMatrix& x, std::size_t row) {
  std::vector<float> values(x.cols());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = x.at(row, i);
  return values;
}

void expect_plain(const Network& network, const core::TiledMatrix& x, std::size_t row, std::size_t steps) {
  std::vector<double> scores(network.outputs());
  forward_row(network, row_of(x, row), steps, scores);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const auto plain = plain_score(network, network.units_after(steps), network.bias_after(steps)[k], x, row, k);
    ASSERT_NEAR(scores[k], plain.value, plain.slack) << "steps " << steps << " output " << k;
  }
}

TEST(RowKernel, every_prefix_is_what_the_plain_loop_gives) {
  for (const char* activation : activation::All::names)
    for (const std::size_t outputs : {1, 3})
      for (const std::size_t features : {1, 3, 8, 30}) {
        SCOPED_TRACE(std::string(activation) + ", features " + std::to_string(features));
        // Beyond 256 units the row is run in parts.
        const Network network = grown_network(features, outputs, features == 8 ? 300 : 90, activation);
        const auto x = random_rows(3, features);
        for (std::size_t steps = 0; steps <= network.steps(); ++steps) expect_plain(network, x, steps % 3, steps);
      }
}

TEST(RowKernel, the_second_copy_of_the_weights_follows_the_first) {
  const Network whole = grown_network(6, 2, 60, "tanh");
  const auto x = random_rows(1, 6);
  Network network = whole;
  for (const std::size_t steps : {9, 4, 0}) {
    network.truncate(steps);
    expect_plain(network, x, 0, steps);
    Network again = network;
    for (std::size_t s = steps; s < whole.steps(); s += 2) again.append(whole.block(s));
    expect_plain(again, x, 0, again.steps());
  }
  const Network loaded(Network::Parts{whole.activation(),
                                      whole.features(),
                                      whole.outputs(),
                                      {whole.step_ends().begin(), whole.step_ends().end()},
                                      {whole.hidden_weights().begin(), whole.hidden_weights().end()},
                                      {whole.hidden_bias().begin(), whole.hidden_bias().end()},
                                      {whole.output_weights().begin(), whole.output_weights().end()},
                                      {whole.prefix_bias().begin(), whole.prefix_bias().end()}});
  expect_plain(loaded, x, 0, loaded.steps());
}

}  // namespace
}  // namespace accrete::network
