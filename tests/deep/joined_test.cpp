#include "accrete/deep/joined.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/deep/extract_features.hpp"
#include "accrete/deep/grown.hpp"
#include "tests/deep/modules.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::joined_test {
namespace {

using namespace deep_test;

enum class Kind { two, five, numbers, counts };

/// Examples whose target follows from them.
TensorDataset examples_of(Kind kind) {
  const torch::Tensor x = numbers(120, 4, 11);
  const torch::Tensor sum = x.select(1, 0) + 2.0 * x.select(1, 1).abs();
  torch::Tensor y = sum * 1e3 + 1e5;
  if (kind == Kind::two) y = (sum > 1.0).to(torch::kInt64);
  if (kind == Kind::five) y = (sum + 1.0).clamp(0, 4).to(torch::kInt64);
  if (kind == Kind::counts) y = sum.clamp(0, 10).round();
  return {"x.csv", x, y};
}

Signature purpose_of(Kind kind) {
  Signature signature;
  signature.targets = {"y"};
  signature.task = kind == Kind::two    ? data::Task::binary
                   : kind == Kind::five ? data::Task::multiclass
                                        : data::Task::regression;
  if (kind == Kind::two) signature.classes = {"no", "yes"};
  if (kind == Kind::five) signature.classes = {"a", "b", "c", "d", "e"};
  return signature;
}

struct Case {
  jit::Module frozen = linear(4, 6, 1);
  TensorDataset dataset;
  Signature signature;
  data::Table features;
  model::Model head;
};

Case grow(Kind kind, config::Config settings) {
  Case c{.dataset = examples_of(kind), .signature = purpose_of(kind), .features = {}, .head = {}};
  c.features = *extract_features(c.frozen, c.dataset, {});
  data::Table table = c.features;
  add_target(table, c.dataset, c.signature);
  boosting::FitOptions options;
  options.task = c.signature.task;
  options.config = std::move(settings);
  options.config.automatic = false;
  core::Workers workers(1);
  options.workers = &workers;
  c.head = boosting::fit(table, options).model;
  return c;
}

torch::Tensor call(const jit::Module& module, const torch::Tensor& x, const c10::IValue& units) {
  torch::NoGradGuard no_gradients;
  return jit::Module(module).forward({x, units}).toTensor();
}

/// The joined network against the library on the features, cut after every step.
void expect_equal(const Case& c, const jit::Module& joined) {
  core::Workers workers(1);
  for (std::size_t steps = 1; steps <= c.head.network.steps(); ++steps) {
    const auto expected = model::predict(c.head, c.features, steps, workers);
    const auto units = static_cast<std::int64_t>(c.head.network.units_after(steps));
    const torch::Tensor given = call(joined, c.dataset.inputs, units);
    ASSERT_EQ(given.dim(), 2);
    ASSERT_EQ(given.size(1), static_cast<std::int64_t>(expected.cols()));
    ASSERT_EQ(given.scalar_type(), c.signature.classes.empty() ? torch::kFloat64 : torch::kFloat32);
    const torch::Tensor want = torch::from_blob(
        const_cast<double*>(expected.row(0).data()),
        {static_cast<std::int64_t>(expected.rows()), static_cast<std::int64_t>(expected.cols())}, torch::kFloat64);
    const double scale = std::max(1.0, want.abs().max().item<double>());
    EXPECT_LT((given.to(torch::kFloat64) - want).abs().max().item<double>() / scale, 1e-5) << units << " units";
  }
}

TEST(Joined, EqualsFeaturesAndHeadAtEveryPrefix) {
  const std::vector<std::pair<Kind, std::string>> cases{{Kind::two, "relu"},     {Kind::two, "logistic"},
                                                        {Kind::five, "relu"},    {Kind::five, "tanh"},
                                                        {Kind::numbers, "tanh"}, {Kind::numbers, "logistic"}};
  for (const auto& [kind, activation] : cases) {
    SCOPED_TRACE(activation + " " + std::to_string(static_cast<int>(kind)));
    const Case c = grow(kind, {.units = 12, .units_per_step = 3, .activation = activation});
    expect_equal(c, join(c.frozen, c.head, c.signature).module);
  }
}

TEST(Joined, EqualsTheModelForOtherLossesAndBins) {
  const Case counts = grow(Kind::counts, {.units = 12, .loss = "poisson"});
  expect_equal(counts, join(counts.frozen, counts.head, counts.signature).module);
  const Case bins = grow(Kind::five, {.units = 12, .bins = 4});
  ASSERT_GT(bins.head.encoder.features(), bins.head.encoder.inputs().size());
  expect_equal(bins, join(bins.frozen, bins.head, bins.signature).module);
}

TEST(Joined, IgnoresAConstantFeature) {
  Case c = grow(Kind::two, {.units = 6, .units_per_step = 3});
  c.frozen = module_of({{"a", linear(4, 6, 1)}},
                       "def forward(self, x):\n    return torch.cat([self.a.forward(x), x[:, :1] * 0.0 + 0.1], 1)\n");
  c.features = *extract_features(c.frozen, c.dataset, {});
  data::Table table = c.features;
  add_target(table, c.dataset, c.signature);
  boosting::FitOptions options;
  options.config = {.units = 6, .automatic = false};
  c.head = boosting::fit(table, options).model;
  ASSERT_EQ(c.head.encoder.inputs().size(), 7u);
  expect_equal(c, join(c.frozen, c.head, c.signature).module);
}

TEST(Joined, RoundsUnitsLikeTheModel) {
  const Case c = grow(Kind::two, {.units = 14, .units_per_step = 4});  // 12 units in 3 steps
  const jit::Module joined = join(c.frozen, c.head, c.signature).module;
  const torch::Tensor& x = c.dataset.inputs;
  const torch::Tensor whole = call(joined, x, 12), first = call(joined, x, 4);
  EXPECT_TRUE(run(joined, x).equal(whole));
  EXPECT_TRUE(call(joined, x, c10::IValue()).equal(whole));
  EXPECT_TRUE(call(joined, x, 0).equal(whole));
  EXPECT_TRUE(call(joined, x, 14).equal(whole)) << "the number that was asked for when it was grown";
  EXPECT_TRUE(call(joined, x, 7).equal(first)) << "rounded down to a whole step";
  EXPECT_FALSE(first.equal(whole));
  const auto refusal = [&](std::int64_t units) {
    return thrown_message<std::exception>([&] { call(joined, x, units); });
  };
  EXPECT_NE(refusal(15).find("15 units requested; the model has 12"), std::string::npos) << refusal(15);
  EXPECT_NE(refusal(3).find("3 units requested; the model's first step already has 4"), std::string::npos);
  EXPECT_NE(refusal(-1).find("units must be at least 0; 0 means all"), std::string::npos);
}

TEST(Joined, SurvivesTwoRoundTrips) {
  const Case c = grow(Kind::five, {.units = 12, .bins = 4});
  jit::Module joined = join(c.frozen, c.head, c.signature).module;
  const torch::Tensor before = call(joined, c.dataset.inputs, 8);
  for (int i = 0; i < 2; ++i) {
    std::stringstream file;
    joined.save(file);
    joined = jit::load(file);
    EXPECT_TRUE(call(joined, c.dataset.inputs, 8).equal(before));
  }
}

TEST(Joined, RecordsTaskAndClasses) {
  Case c = grow(Kind::five, {.units = 12, .units_per_step = 3});
  c.signature.classes = {"e", "d", "c", "b", "a", "never seen"};
  const TorchNetwork joined = join(c.frozen, c.head, c.signature);
  ASSERT_TRUE(joined.signature);
  EXPECT_EQ(joined.signature->classes, c.head.classes) << "the outputs are in the head's order";
  const auto& head = joined.record.at("head");
  EXPECT_EQ(head.at("units"), 12);
  EXPECT_EQ(head.at("parameters").at("units_per_step"), "3");
  EXPECT_EQ(head.at("train_loss").size(), 5u);
}

TEST(Grown, RejectsPlainNetworks) {
  model::Model plain;
  plain.method = model::Method::network;
  EXPECT_NE(
      thrown_message<core::UsageError>([&] { grown_module(plain); }).find("needs a model of the method 'boosting'"),
      std::string::npos);
}

}  // namespace
}  // namespace accrete::deep::joined_test
