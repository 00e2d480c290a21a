#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/model/model.hpp"
#include "tests/network/random_network.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::model::predict_test {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

struct TaskKind {
  const char* loss;
  data::Task task;
  std::size_t outputs;
};
const TaskKind kinds[] = {{"logistic", data::Task::binary, 1},
                          {"softmax", data::Task::multiclass, 3},
                          {"squared", data::Task::regression, 2},
                          {"poisson", data::Task::regression, 1}};

/// Five numeric inputs. With gaps, two have a gap flag; with bins, four are binned.
Model make_model(const TaskKind& kind, bool gaps, bool bins = false) {
  Model model;
  model.task = kind.task;
  model.loss = loss::Loss::named(kind.loss);
  model.target_shift = {3.0, -1.0};
  model.target_scale = {2.0, 0.5};
  model.target_shift.resize(kind.outputs);
  model.target_scale.resize(kind.outputs);
  std::vector<data::Input> inputs;
  for (std::size_t i = 0; i < 5; ++i)
    inputs.push_back({.name = "x" + std::to_string(i),
                      .mean = 10.0 * static_cast<double>(i),
                      .scale = 1.0 + static_cast<double>(i),
                      .gap_flag = gaps && i % 2 == 1});
  for (std::size_t i = 0; bins && i < 4; ++i)
    for (std::size_t j = 0; j <= 2 + i; ++j) {
      inputs[i].knots.push_back(10.0f * static_cast<float>(i) + 0.7f * static_cast<float>(j) - 1.0f);
      if (j == 0) continue;
      inputs[i].bin_means.push_back(1.0 / static_cast<double>(1 + j));
      inputs[i].bin_scales.push_back(0.1 * static_cast<double>(1 + j));
    }
  model.encoder = data::Encoder(inputs);
  model.network = network::random_network(model.encoder.features(), kind.outputs, 40, "tanh");
  return model;
}

std::vector<float> make_rows(std::size_t rows, bool gaps) {
  core::Rng rng(5, rows, core::Purpose::generator);
  std::vector<float> x(rows * 5);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto column = static_cast<double>(i % 5);
    x[i] = gaps && rng.uniform() < 0.2 ? missing : static_cast<float>(10.0 * column + (1.0 + column) * rng.normal());
  }
  return x;
}

TEST(Predict, AgreesForRowsTablesAndSingleRowsAtEveryPrefix) {
  core::Workers workers(1);
  for (const TaskKind& kind : kinds)
    for (const auto& [gaps, bins] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}})
      for (const std::size_t rows : {1, 3, 257, 700}) {
        SCOPED_TRACE(std::string(kind.loss) + (bins ? " with bins" : "") + ", rows " + std::to_string(rows));
        const Model model = make_model(kind, gaps, bins);
        const auto x = make_rows(rows, gaps);
        const auto table = data::Table::from_rows({x.data(), rows, 5});
        const auto features = model.encoder.encode(table);
        std::vector<float> workspace(workspace_size(model));
        for (std::size_t steps = 0; steps <= model.network.steps(); steps += 3) {
          const auto batch = predict(model, core::MatrixView<const float>{x.data(), rows, 5}, steps, workers);
          const auto from_table = predict(model, table, steps, workers);
          EXPECT_TRUE(std::ranges::equal(batch.flat(), from_table.flat()));
          std::vector<double> alone(batch.cols()), scores(kind.outputs);
          for (std::size_t r = 0; r < rows; r += 1 + rows / 20) {
            predict_row(model, std::span(x).subspan(r * 5, 5), steps, workspace, alone);
            double slack = 0.0;
            for (std::size_t k = 0; k < kind.outputs; ++k) {
              const auto plain = network::expected_score(model.network, model.network.units_after(steps),
                                                         model.network.bias_after(steps)[k], features, r, k);
              scores[k] = plain.value;
              slack = std::max(slack, 2.0 * plain.tolerance);
            }
            const auto plain = apply_link(model, {scores.data(), 1, kind.outputs});
            for (std::size_t k = 0; k < alone.size(); ++k) {
              const double allowed = slack * (1.0 + std::abs(plain(0, k)));
              ASSERT_NEAR(batch(r, k), plain(0, k), allowed) << r;
              ASSERT_NEAR(alone[k], plain(0, k), allowed) << r;
            }
          }
        }
      }
}

TEST(Predict, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto x = make_rows(9'001, true);
  for (const TaskKind& kind : kinds) {
    const Model model = make_model(kind, true, true);
    core::Workers one(1), three(3);
    const core::MatrixView<const float> rows{x.data(), 9'001, 5};
    const auto a = predict(model, rows, model.network.steps(), one),
               b = predict(model, rows, model.network.steps(), three);
    EXPECT_TRUE(std::ranges::equal(a.flat(), b.flat())) << kind.loss;
  }
}

TEST(Predict, NamesTheFirstInfinityForAnyNumberOfThreads) {
  const Model model = make_model(kinds[0], false);
  auto x = make_rows(20'000, false);
  x[5 * 19'000 + 1] = x[5 * 7'000 + 3] = -std::numeric_limits<float>::infinity();
  for (const std::size_t threads : {1, 3}) {
    core::Workers workers(threads);
    const core::MatrixView<const float> rows{x.data(), 20'000, 5};
    EXPECT_EQ(thrown_message<core::DataError>([&] { predict(model, rows, 1, workers); }),
              "data: row 7001 (counting from 1), column 'x3': the value is infinite");
  }
}

TEST(Predict, RejectsRowsAndStepsThatDoNotFitTheModel) {
  core::Workers workers(1);
  Model model = make_model(kinds[0], false);
  const std::vector<float> x(12);
  const core::MatrixView<const float> wide{x.data(), 2, 6}, fitting{x.data(), 2, 5};
  EXPECT_THROW(predict(model, wide, 1, workers), core::UsageError);
  EXPECT_THROW(predict(model, fitting, model.network.steps() + 1, workers), core::UsageError);
  model.encoder = data::Encoder(std::vector<data::Input>(4, data::Input{.name = "a"}));
  const core::MatrixView<const float> narrow{x.data(), 3, 4};
  EXPECT_THROW(predict(model, narrow, 1, workers), core::UsageError)
      << "the network reads more features than the encoder makes";
  EXPECT_EQ(predict(make_model(kinds[1], true), core::MatrixView<const float>{x.data(), 0, 5}, 1, workers).rows(), 0u);
}

}  // namespace
}  // namespace accrete::model::predict_test
