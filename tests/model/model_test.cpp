#include "accrete/model/model.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::model::model_test {
namespace {

Model make_model(data::Task task, const char* loss, std::size_t outputs) {
  Model model;
  model.task = task;
  model.loss = loss::Loss::named(loss);
  model.network = network::Network(2, activation::Activation::named("relu"), std::vector<double>(outputs, 0.0));
  model.target_shift.assign(outputs, 0.0);
  model.target_scale.assign(outputs, 1.0);
  return model;
}

/// A model with three units per step.
Model grown(std::size_t steps) {
  Model model = make_model(data::Task::regression, "squared", 1);
  network::Block block{
      3, 1, {0, 1}, std::vector<float>(6, 0.5f), std::vector<float>(3, 0.1f), std::vector<float>(3, 1.0f), {0.0}};
  for (std::size_t step = 0; step < steps; ++step) model.network.append(block);
  return model;
}

core::Matrix<double> link(const Model& model, std::vector<double> scores) {
  const std::size_t outputs = model.network.outputs();
  return apply_link(model, {scores.data(), scores.size() / outputs, outputs});
}

std::string refusal(const Model& model, std::size_t units) {
  return thrown_message<core::UsageError>([&] { model.steps_for(units); });
}

TEST(ApplyLink, SigmoidGivesBothClasses) {
  const auto p = link(make_model(data::Task::binary, "logistic", 1), {0.0, std::log(3.0), -800.0, 800.0});
  ASSERT_EQ(p.rows(), 4u);
  ASSERT_EQ(p.cols(), 2u);
  EXPECT_EQ(p(0, 0), 0.5);
  EXPECT_NEAR(p(1, 0), 0.25, 1e-15);
  EXPECT_NEAR(p(1, 1), 0.75, 1e-15);
  EXPECT_EQ(p(2, 0), 1.0);
  EXPECT_EQ(p(2, 1), 0.0);
  EXPECT_EQ(p(3, 1), 1.0);
}

TEST(ApplyLink, SoftmaxDoesNotOverflow) {
  const auto p =
      link(make_model(data::Task::multiclass, "softmax", 3), {1.0, 1.0, 1.0, 1e4, 1e4 + std::log(2.0), -1e4});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p(0, k), 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(p(1, 0), 1.0 / 3.0, 1e-11);
  EXPECT_NEAR(p(1, 1), 2.0 / 3.0, 1e-11);
  EXPECT_EQ(p(1, 2), 0.0);
  EXPECT_NEAR(std::accumulate(p.row(1).begin(), p.row(1).end(), 0.0), 1.0, 1e-15);
}

TEST(ApplyLink, IdentityReturnsTheTargetsUnits) {
  Model model = make_model(data::Task::regression, "huber", 2);
  model.target_shift = {10.0, -1.0};
  model.target_scale = {2.0, 0.5};
  const auto y = link(model, {1.0, 4.0});
  EXPECT_EQ(y(0, 0), 12.0);
  EXPECT_EQ(y(0, 1), 1.0);
  model.target_scale.pop_back();
  EXPECT_THROW(link(model, {1.0, 4.0}), core::UsageError);
}

TEST(ApplyLink, ExponentialStaysFinite) {
  const auto y = link(make_model(data::Task::regression, "poisson", 1), {0.0, 1.0, 1e6});
  EXPECT_EQ(y(0, 0), 1.0);
  EXPECT_EQ(y(1, 0), std::exp(1.0));
  EXPECT_EQ(y(2, 0), std::numeric_limits<double>::max());
}

TEST(ApplyLink, RejectsScoresOfAnotherWidth) {
  const Model model = make_model(data::Task::multiclass, "softmax", 3);
  std::vector<double> scores(4);
  EXPECT_THROW(apply_link(model, {scores.data(), 2, 2}), core::UsageError);
}

TEST(StepsFor, RoundsDownToAWholeStep) {
  const Model model = grown(4);
  EXPECT_EQ(model.steps_for(0), 4u);
  EXPECT_EQ(model.steps_for(3), 1u);
  EXPECT_EQ(model.steps_for(5), 1u);
  EXPECT_EQ(model.steps_for(11), 3u);
  EXPECT_EQ(model.steps_for(12), 4u);
  EXPECT_EQ(grown(0).steps_for(0), 0u);
}

TEST(StepsFor, AcceptsTheUnitsParameterOfTheFit) {
  Model model = grown(4);
  model.provenance.parameters = {{"units", "14"}};
  EXPECT_EQ(model.steps_for(14), 4u);
  EXPECT_EQ(refusal(model, 15), "15 units requested; the model has 12");
  model.provenance.parameters = {{"units", "15"}};  // one step short of 15: the fit stopped early
  EXPECT_EQ(refusal(model, 15), "15 units requested; the model has 12");
}

TEST(StepsFor, NamesTheLimits) {
  EXPECT_EQ(refusal(grown(4), 13), "13 units requested; the model has 12");
  EXPECT_EQ(refusal(grown(4), 2), "2 units requested; the model's first step already has 3; use 3, 6, 9, ... 12");
  EXPECT_EQ(refusal(grown(4), 1), "1 unit requested; the model's first step already has 3; use 3, 6, 9, ... 12");
  EXPECT_EQ(refusal(grown(2), 1), "1 unit requested; the model's first step already has 3; use 3, 6");
  EXPECT_EQ(refusal(grown(0), 1), "1 unit requested; the model has 0");
}

TEST(BestClass, ReturnsTheFirstLargestProbability) {
  EXPECT_EQ(best_class(std::vector<double>{0.2, 0.5, 0.3}), 1u);
  EXPECT_EQ(best_class(std::vector<double>{0.4, 0.2, 0.4}), 0u);
  EXPECT_EQ(best_class(std::vector<double>{1.0}), 0u);
}

TEST(PredictRow, ChecksTheSizesOfItsSpans) {
  Model model = grown(1);
  model.encoder = data::Encoder({{.name = "a"}, {.name = "b"}});
  std::vector<float> raw(2), workspace(workspace_size(model));
  std::vector<double> prediction(1);
  EXPECT_EQ(workspace.size(), 2u);
  EXPECT_THROW(predict_row(model, raw, 2, workspace, prediction), core::UsageError);
  EXPECT_THROW(predict_row(model, std::span(raw).first(1), 1, workspace, prediction), core::UsageError);
  EXPECT_THROW(predict_row(model, raw, 1, std::span(workspace).first(1), prediction), core::UsageError);
  EXPECT_THROW(predict_row(model, raw, 1, workspace, {}), core::UsageError);
}

}  // namespace
}  // namespace accrete::model::model_test
