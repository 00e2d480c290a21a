// The sums of rows that ranks share are those of one process.

#include <gtest/gtest.h>

#include <vector>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/comm/threads.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::backend::shared_rows_test {
namespace {

constexpr std::size_t rows = 700, features = 6, units = 3;  // the last tile is not full

struct Sums {
  NewtonSums newton;
  double value = 0.0;
  std::vector<double> gradient, curvature;
};

/// The row that a block moves most is the last one, which only the last rank has.
data::Features features_of(const data::Features& all, std::size_t first, std::size_t last) {
  core::TiledMatrix numbers(last - first, features);
  for (std::size_t r = first; r < last; ++r)
    for (std::size_t c = 0; c < features; ++c)
      numbers.at(r - first, c) = all.stored().at(r, c) + (r == rows - 1 ? 9.0f : 0.0f);
  return numbers;
}

Sums sums_of(const data::Dataset& dataset, comm::Communicator& comm) {
  core::Workers workers(1);
  const auto config = config::configure("paper", data::Task::binary, {});
  const boosting::TrainTask task{.config = config, .data = dataset, .outputs = 1, .workers = workers, .comm = comm};
  const auto training = boosting::make_training_rows(task, dataset, activation::Activation::named("relu"));
  const std::vector<double> start{0.1};
  training->reset_scores(start);
  network::Block block;
  block.units = units, block.outputs = 1, block.features = {0, 1, 2, 3, 4, 5};
  for (std::size_t i = 0; i < units * features; ++i)
    block.hidden_weights.push_back(0.1f + 0.2f * static_cast<float>(i % 5));
  block.hidden_bias = {0.1f, -0.2f, 0.3f};
  block.output_weights = {0.5f, 0.7f, 0.9f};
  block.output_bias = {0.05};
  Sums sums;
  sums.newton = training->newton_sums(block);
  training->compute_residuals(false);
  const std::vector<std::size_t> drawn{0, 1, 2, 3, 4, 5};
  training->set_view(
      {.rows = {}, .features = drawn, .units = units, .objective = StepObjective::projected, .alpha = 0.1});
  const std::size_t hidden = units * (features + 1);
  std::vector<double> parameters;
  for (std::size_t i = 0; i < hidden; ++i) parameters.push_back(0.3 - 0.05 * static_cast<double>(i % 7));
  sums.gradient.resize(hidden);
  sums.curvature.resize(hidden * hidden);
  sums.value = training->evaluate(parameters, sums.gradient);
  training->curvature(sums.curvature);
  return sums;
}

TEST(SharedRows, GiveTheSumsOfOneProcess) {
  const boosting::Sample s = boosting::make_sample("binary", rows);
  data::Dataset whole = s.data;
  whole.features = features_of(s.data.features, 0, rows);
  const Sums alone = sums_of(whole, comm::one_process());
  ASSERT_GT(alone.newton.largest[0], 10.0);
  for (const std::size_t ranks : {2, 3})
    comm::run_ranks(ranks, [&](comm::Communicator& comm) {
      const comm::Share share = RowChunks(whole.features, rows, comm).row_share();
      data::Dataset own = s.data;
      own.first_row = share.first();
      own.features = features_of(s.data.features, share.first(), share.last());
      const Sums sums = sums_of(own, comm);
      EXPECT_EQ(sums.newton.slope, alone.newton.slope);
      EXPECT_EQ(sums.newton.curvature, alone.newton.curvature);
      EXPECT_EQ(sums.newton.largest, alone.newton.largest);
      EXPECT_EQ(sums.value, alone.value);
      EXPECT_EQ(sums.gradient, alone.gradient);
      EXPECT_EQ(sums.curvature, alone.curvature);
    });
}

}  // namespace
}  // namespace accrete::backend::shared_rows_test
