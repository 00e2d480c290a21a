#include "accrete/model/plain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/accrete.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/c_source.hpp"
#include "accrete/model/staged.hpp"
#include "accrete/onnx/onnx.hpp"
#include "tests/model/plain_models.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::model::plain_test {
namespace {

core::Workers& workers() {
  static core::Workers two(2);
  return two;
}

TEST(PlainModel, EvaluatesTheLayersInOrder) {
  const auto relu = [](double z) { return std::max(z, 0.0); };
  const auto p = predict(plain_network(), one_column({-2.0f, 0.25f, 1.0f}), 0, workers());
  const double inputs[] = {-2.0, 0.25, 1.0};
  for (std::size_t r = 0; r < 3; ++r) {
    const double a = relu(2 * inputs[r]), b = relu(0.5 - inputs[r]);
    EXPECT_NEAR(p(r, 0), 1 + 3 * relu(a + b - 1) - 2 * relu(a - b + 0.25), 1e-6) << inputs[r];
  }
}

TEST(PlainModel, AppliesTheTargetScale) {
  Model model = plain_network();
  const double before = predict(model, one_column({1.0f}), 0, workers())(0, 0);
  model.target_shift = {10.0};
  model.target_scale = {2.0};
  EXPECT_NEAR(predict(model, one_column({1.0f}), 0, workers())(0, 0), 10 + 2 * before, 1e-6);
}

TEST(PlainModel, VotesGiveTheProbabilitiesOfScikitLearn) {
  const auto p = predict(voting_model(), one_column({-1.0f, 1.0f}), 0, workers());
  // Voting weights: 1 + 2 for a (in row 1 for b), 2.5 for c, 5.5 in total. A member subtracts half its weight from each
  // class that it does not predict; the sums are divided by K - 1 = 2 and go through softmax.
  const double won = (3.0 - 2.5 / 2) / 5.5 / 2, none = -0.5 / 2, lone = (2.5 - 3.0 / 2) / 5.5 / 2;
  const double sum = std::exp(won) + std::exp(none) + std::exp(lone);
  EXPECT_NEAR(p(0, 0), std::exp(won) / sum, 1e-9);
  EXPECT_NEAR(p(0, 1), std::exp(none) / sum, 1e-9);
  EXPECT_NEAR(p(0, 2), std::exp(lone) / sum, 1e-9);
  EXPECT_NEAR(p(1, 1), p(0, 0), 1e-12);
  EXPECT_EQ(best_class(p.row(0)), 0u);
  EXPECT_EQ(best_class(p.row(1)), 1u);
}

TEST(PlainModel, UsesOneScoreForTwoClasses) {
  Model model = plain_base(Method::adaboost, data::Task::binary, 1);
  model.members = {linear_member({1.0f}, {0.0f}, 3.0), linear_member({1.0f}, {5.0f}, 1.0)};
  const auto p = predict(model, one_column({-1.0f, 1.0f}), 0, workers());
  EXPECT_NEAR(p(0, 1), 1 / (1 + std::exp(1.0)), 1e-9) << "2 (1 - 3) / 4";
  EXPECT_NEAR(p(1, 1), 1 / (1 + std::exp(-2.0)), 1e-9);
  EXPECT_NEAR(p(0, 0) + p(0, 1), 1.0, 1e-12);
}

TEST(PlainModel, PredictsTheWeightedMedianForRegression) {
  Model model = plain_base(Method::adaboost, data::Task::regression, 1);
  model.members = {linear_member({1.0f}, {3.0f}, 1.0), linear_member({1.0f}, {1.0f}, 1.0),
                   linear_member({1.0f}, {2.0f}, 1.0), linear_member({1.0f}, {9.0f}, 1.0)};
  EXPECT_EQ(predict(model, one_column({10.0f}), 0, workers())(0, 0), 12.0) << "the lower of the two middle values";
  model.members[3].weight = 3.5;
  EXPECT_EQ(predict(model, one_column({10.0f}), 0, workers())(0, 0), 19.0);
  model.members[3].weight = 3.0;
  EXPECT_EQ(predict(model, one_column({10.0f}), 0, workers())(0, 0), 13.0)
      << "the accumulated weight reaches half at 13";
}

TEST(PlainModel, PredictsManyRowsLikeSingleRows) {
  std::vector<float> values;
  for (int i = 0; i < 5000; ++i) values.push_back(static_cast<float>(i % 37) * 0.1f - 1.5f);
  for (const Model& model : {plain_network(), voting_model()}) {
    const auto all = predict(model, one_column(values), 0, workers());
    for (std::size_t r = 0; r < values.size(); r += 611)
      EXPECT_EQ(all(r, 0), predict(model, one_column({values[r]}), 0, workers())(0, 0)) << r;
    const auto raw = predict(model, core::MatrixView<const float>{values.data(), values.size(), 1}, 0, workers());
    EXPECT_TRUE(std::ranges::equal(raw.flat(), all.flat()));
  }
}

TEST(PlainModel, ExplainsWhyItHasNoDial) {
  const Model network = plain_network(), boosted = voting_model();
  EXPECT_EQ(network.steps_for(0), 0u);
  EXPECT_EQ(network.units_after(0), 4u);
  EXPECT_EQ(thrown_message<core::UsageError>([&] { network.steps_for(2); }),
            "the model is a plain network, which has no dial: predictions use all units");
  EXPECT_NE(thrown_message<core::UsageError>([&] { boosted.steps_for(1); }).find("AdaBoost"), std::string::npos);
  const auto table = one_column({1.0f});
  EXPECT_NE(
      thrown_message<core::UsageError>([&] { StagedPrediction(network, table, workers()); }).find("plain network"),
      std::string::npos);
  EXPECT_NE(thrown_message<core::UsageError>([&] { prefix(network, 1); }).find("plain network"), std::string::npos);
}

TEST(PlainModel, IsRejectedWhereBoostingIsRequired) {
  const Model model = plain_network();
  for (const std::string& said :
       {thrown_message<core::UsageError>([&] { io::c_source(model, {.name = "m"}); }),
        thrown_message<core::UsageError>([&] { onnx::write(model, {}); }),
        thrown_message<core::UsageError>([&] { boosting::grow(model, one_column({1.0f}), {}); }),
        thrown_message<core::UsageError>([&] {
          std::vector<float> raw(1), workspace(workspace_size(model));
          std::vector<double> prediction(1);
          predict_row(model, raw, 0, workspace, prediction);
        })})
    EXPECT_NE(said.find("needs a model of the method 'boosting'; this one is of 'network'"), std::string::npos) << said;
}

}  // namespace
}  // namespace accrete::model::plain_test
