#include "accrete/deep/backbone.hpp"

#include "accrete/core/error.hpp"
#include "accrete/core/mapped.hpp"
#include "tests/deep/sample.hpp"

namespace accrete::deep::backbone_test {
namespace {

std::int64_t count_weights(const torch::jit::Module& module) {
  std::int64_t count = 0;
  for (const torch::Tensor& weight : module.parameters()) count += weight.numel();
  return count;
}

torch::jit::Module part(const TorchNetwork& network, const char* name) {
  return network.module.attr(name).toModule();
}

TEST(Architecture, RoundTrips) {
  EXPECT_EQ(parse_architecture("dense:100,100,100").widths, (std::vector<std::int64_t>{100, 100, 100}));
  for (const char* text : {"cnn", "dense:5", "dense:7,300,1"}) EXPECT_EQ(parse_architecture(text).text(), text);
}

TEST(Architecture, RejectsOthers) {
  for (const char* text : {"", "dense", "dense:", "dense:5,", "dense:,5", "dense:0", "dense:-3", "dense:5.5",
                           "dense:1e3", "dense:99999999", "CNN", "cnn:3", "vgg"})
    EXPECT_THROW(parse_architecture(text), core::UsageError) << text;
}

TEST(Backbone, HasTheWeightsOfThePapersCnnForMnist) {
  const TorchNetwork network = make_backbone(parse_architecture("cnn"), deep_test::images_signature(1, 28, 10), 0);
  // 320 + 9248, 18496 + 36928, 73856 + 147584, then 3 x 3 x 128 inputs to 128; 128 to 128 and to 10.
  EXPECT_EQ(count_weights(part(network, "features")), 320 + 9248 + 18496 + 36928 + 73856 + 147584 + 1152 * 128 + 128);
  EXPECT_EQ(count_weights(part(network, "head")), 128 * 128 + 128 + 128 * 10 + 10);
}

TEST(Backbone, HasTheWeightsOfThePapersCnnForCifar) {
  const TorchNetwork network = make_backbone(parse_architecture("cnn"), deep_test::images_signature(3, 32, 10), 0);
  EXPECT_EQ(count_weights(network.module),
            896 + 9248 + 18496 + 36928 + 73856 + 147584 + 2048 * 128 + 128 + 16512 + 1290);
  const torch::Tensor images = torch::randint(0, 256, {4, 3, 32, 32}, torch::kUInt8);
  torch::jit::Module module = network.module;
  const torch::Tensor shares = module.forward({images}).toTensor();
  EXPECT_EQ(shares.sizes(), (std::vector<std::int64_t>{4, 10}));
  EXPECT_TRUE(torch::allclose(shares.sum(1), torch::ones({4})));
  // In evaluation mode nothing is dropped.
  EXPECT_TRUE(torch::equal(shares, module.forward({images}).toTensor()));
}

TEST(Backbone, EndsTheFrozenPartBeforeTheLastHiddenLayer) {
  const auto sample = deep_test::circle(20);
  const TorchNetwork network = make_backbone(parse_architecture("dense:5,4,3"), sample.signature, 0);
  EXPECT_EQ(count_weights(part(network, "features")), 2 * 5 + 5 + 5 * 4 + 4);
  EXPECT_EQ(count_weights(part(network, "head")), 4 * 3 + 3 + 3 * 2 + 2);
  torch::jit::Module module = network.module;
  EXPECT_EQ(module.forward({sample.dataset.inputs}).toTensor().sizes(), (std::vector<std::int64_t>{20, 2}));
}

TEST(Backbone, PutsASingleLayerIntoTheHead) {
  const auto sample = deep_test::circle(20);
  const TorchNetwork network = make_backbone(parse_architecture("dense:6"), sample.signature, 0);
  EXPECT_EQ(count_weights(part(network, "features")), 0);
  torch::jit::Module features = part(network, "features");
  const torch::Tensor rows = torch::randn({3, 2});
  EXPECT_TRUE(torch::equal(features.forward({rows}).toTensor(), rows));
}

TEST(Backbone, PredictsInTheTargetsUnits) {
  Signature signature = deep_test::table_signature(torch::randn({30, 2}), {});
  signature.shift = -1234.5;
  signature.scale = 0.25;
  TorchNetwork network = make_backbone(parse_architecture("dense:4,4"), signature, 3);
  const torch::Tensor rows = torch::randn({5, 2});
  torch::Tensor x = part(network, "prepare").forward({rows}).toTensor();
  x = part(network, "head").forward({part(network, "features").forward({x})}).toTensor();
  const torch::Tensor values = network.module.forward({rows}).toTensor();
  EXPECT_EQ(values.sizes(), (std::vector<std::int64_t>{5, 1}));
  EXPECT_TRUE(torch::allclose(values, x.to(torch::kFloat64) * 0.25 - 1234.5));
}

TEST(Backbone, DrawsInitialWeightsFromTheSeed) {
  const auto signature = deep_test::images_signature(1, 8, 3);
  const auto made = [&](std::uint64_t seed) { return make_backbone(parse_architecture("cnn"), signature, seed); };
  EXPECT_TRUE(deep_test::same_weights(made(1), made(1)));
  EXPECT_FALSE(deep_test::same_weights(made(1), made(2)));
}

TEST(Backbone, DrawsInitialWeightsLikePyTorch) {
  const TorchNetwork network = make_backbone(parse_architecture("cnn"), deep_test::images_signature(3, 32, 10), 0);
  const torch::Tensor weight = part(network, "features").attr("conv128b_weight").toTensor();
  const double bound = 1.0 / std::sqrt(128.0 * 9.0);
  EXPECT_LE(weight.abs().max().item<double>(), bound);
  EXPECT_NEAR(weight.std().item<double>(), bound / std::sqrt(3.0), 0.01 * bound);
}

TEST(Backbone, RejectsUnsuitableInputs) {
  const auto sample = deep_test::circle(20);
  const auto images = [](std::int64_t side) { return deep_test::images_signature(1, side, 3); };
  EXPECT_THROW(make_backbone(parse_architecture("cnn"), sample.signature, 0), core::UsageError);
  EXPECT_THROW(make_backbone(parse_architecture("dense:5"), images(28), 0), core::UsageError);
  EXPECT_THROW(make_backbone(parse_architecture("cnn"), images(7), 0), core::UsageError);
  EXPECT_NO_THROW(make_backbone(parse_architecture("cnn"), images(8), 0));
  const core::FreeMemoryOverride little(1 << 20);
  EXPECT_NO_THROW(make_backbone(parse_architecture("dense:200,200"), sample.signature, 0));
  EXPECT_THROW(make_backbone(parse_architecture("dense:300,300"), sample.signature, 0), core::UsageError);
}

}  // namespace
}  // namespace accrete::deep::backbone_test
