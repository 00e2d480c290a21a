#include "accrete/deep/extract_features.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/mapped.hpp"
#include "tests/deep/modules.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::extract_features_test {
namespace {

using namespace deep_test;

TensorDataset dataset(torch::Tensor inputs) {
  return {"x.csv", std::move(inputs), {}};
}

std::string refusal(const jit::Module& module, const TensorDataset& from, std::int64_t batch = 4) {
  return thrown_message<core::DataError>([&] { extract_features(module, from, {.batch_size = batch}); });
}

TEST(Extract, GivesTheSameForAnyBatchSize) {
  const jit::Module net = linear(4, 6, 1);
  const torch::Tensor x = numbers(23, 4), whole = run(net, x);
  for (const std::int64_t batch : {1, 5, 23, 100}) {
    std::vector<std::int64_t> seen;
    const auto table =
        extract_features(net, dataset(x), {.batch_size = batch, .observer = [&](std::int64_t done, std::int64_t all) {
                                             EXPECT_EQ(all, 23);
                                             seen.push_back(done);
                                             return true;
                                           }});
    ASSERT_TRUE(table);
    ASSERT_EQ(table->columns.size(), 6u);
    ASSERT_EQ(table->rows(), 23u);
    EXPECT_EQ(table->source, "x.csv");
    EXPECT_EQ(seen.back(), 23);
    for (std::int64_t f = 0; f < 6; ++f) {
      EXPECT_EQ(table->columns[f].name, "f" + std::to_string(f));
      for (std::int64_t r = 0; r < 23; ++r)
        EXPECT_NEAR(table->columns[f].numbers[r], whole[r][f].item<float>(), 1e-5) << r << " " << f;
    }
  }
}

TEST(Extract, MapsFeaturesThatDoNotFitInMemory) {
  const jit::Module net = linear(4, 6, 1);
  const TensorDataset from = dataset(numbers(23, 4));
  const data::Table in_memory = *extract_features(net, from, {.batch_size = 5});
  const core::FreeMemoryOverride little(100);
  const data::Table mapped = *extract_features(net, from, {.batch_size = 5});
  for (std::size_t f = 0; f < 6; ++f) {
    EXPECT_FALSE(in_memory.columns[f].numbers.is_mapped());
    EXPECT_TRUE(mapped.columns[f].numbers.is_mapped());
    EXPECT_EQ(mapped.columns[f].numbers, in_memory.columns[f].numbers);
  }
}

TEST(Extract, StopsWhenTheObserverReturnsFalse) {
  int calls = 0;
  const auto table = extract_features(linear(4, 6, 1), dataset(numbers(23, 4)),
                                      {.batch_size = 5, .observer = [&](auto, auto) { return ++calls < 2; }});
  EXPECT_FALSE(table);
  EXPECT_EQ(calls, 2);
}

TEST(Extract, RejectsAnotherRank) {
  const jit::Module net = module_of({}, "def forward(self, x):\n    return torch.reshape(x, [-1, 2, 1, 2])\n");
  const std::string said = refusal(net, dataset(numbers(23, 4)));
  EXPECT_NE(said.find("4 x 2 x 1 x 2 (rank 4): cut the network at a later module"), std::string::npos) << said;
  const jit::Module sum = module_of({}, "def forward(self, x):\n    return x.sum()\n");
  EXPECT_NE(refusal(sum, dataset(numbers(23, 4))).find("one number (rank 0)"), std::string::npos);
  const jit::Module fewer = module_of({}, "def forward(self, x):\n    return x[:2]\n");
  EXPECT_NE(refusal(fewer, dataset(numbers(23, 4))).find("for 4 examples is 2 x 4 (rank 2)"), std::string::npos);
}

TEST(Extract, NamesTheFeatureThatIsNotFinite) {
  torch::Tensor x = numbers(23, 4);
  x[17][2] = std::numeric_limits<float>::quiet_NaN();
  const jit::Module net = module_of({}, "def forward(self, x):\n    return x\n");
  EXPECT_EQ(refusal(net, dataset(x)), "x.csv: example 18: feature f2 is not finite");
}

TEST(Extract, ReportsUnsuitableInputsInOneLine) {
  const std::string said = refusal(linear(4, 6, 1), dataset(numbers(23, 5)));
  EXPECT_TRUE(said.starts_with("x.csv: the network rejects these examples: ")) << said;
  EXPECT_NE(said.find("shapes cannot be multiplied"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

TEST(Extract, AddsTheTargetAsTheLastColumn) {
  TensorDataset from = dataset(numbers(3, 1));
  Signature signature;
  signature.targets = {"f0"};
  data::Table none = *extract_features(linear(1, 2, 1), from, {});
  add_target(none, from, signature);
  EXPECT_EQ(none.columns.size(), 2u) << "there are no targets";
  from.targets = torch::tensor({1, 0, 1}, torch::kInt64);
  signature.classes = {"no", "yes"};
  data::Table table = none;
  add_target(table, from, signature);
  EXPECT_EQ(table.columns.back().name, "f0_");
  EXPECT_EQ(table.columns.back().levels, signature.classes);
  EXPECT_EQ(table.columns.back().codes, (std::vector<std::int32_t>{1, 0, 1}));
  signature.classes.clear();
  signature.targets = {"y"};
  from.targets = torch::tensor({1.5f, -2.0f, 0.25f});
  add_target(none, from, signature);
  EXPECT_EQ(none.columns.back().name, "y");
  EXPECT_EQ(none.columns.back().numbers, (std::vector<float>{1.5f, -2.0f, 0.25f}));
}

}  // namespace
}  // namespace accrete::deep::extract_features_test
