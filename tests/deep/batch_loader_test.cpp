#include "accrete/deep/dataset/batch_loader.hpp"

#include "accrete/deep/backbone.hpp"
#include "tests/deep/sample.hpp"

namespace accrete::deep::batch_loader_test {
namespace {

torch::Tensor draws_of(const std::vector<std::int64_t>& values) {
  return torch::tensor(values, torch::kInt64).view({-1, 3});
}

/// `count` images of 10 x 20 without equal or zero pixels.
torch::Tensor distinct_images(std::int64_t count, std::int64_t channels) {
  return torch::arange(1, count * channels * 200 + 1, torch::kFloat32).view({count, channels, 10, 20});
}

TEST(BatchLoader, TakesSlicesOfTheOrder) {
  const TensorDataset dataset{"images", torch::arange(5, torch::kUInt8).view({5, 1, 1, 1}).expand({5, 1, 8, 8}).clone(),
                              torch::tensor({2, 0, 1, 0, 2}, torch::kInt64)};
  const Signature signature = deep_test::images_signature(1, 8, 3);
  TorchNetwork network = make_backbone(parse_architecture("cnn"), signature, 0);
  BatchLoader batches(network.module.attr("prepare").toModule(), dataset, signature, torch::kCPU);
  batches.set_order({4, 2, 0, 3});
  const TensorBatch batch = batches.batch(1, 2);
  ASSERT_EQ(batch.inputs.size(0), 2);
  EXPECT_FLOAT_EQ(batch.inputs[0].max().item<float>(), 2.0f / 255.0f);
  EXPECT_FLOAT_EQ(batch.inputs[1].max().item<float>(), 0.0f);
  EXPECT_TRUE(batch.targets.equal(torch::tensor({1, 2}, torch::kInt64)));
}

TEST(BatchLoader, ShiftsAndMirrorsImagesByTheirDraws) {
  const torch::Tensor images = distinct_images(3, 3);
  // 10 x 20 pixels: padded by 1 above and 2 on the left, so that a draw of (1, 2) leaves the image in place.
  const torch::Tensor augmented = augment_images(images, draws_of({1, 2, 0, 1, 2, 1, 2, 0, 0}));
  EXPECT_TRUE(augmented[0].equal(images[0]));
  EXPECT_TRUE(augmented[1].equal(images[1].flip({2})));
  // One row from below moves up, two columns from the left move in.
  EXPECT_TRUE(augmented[2].slice(1, 0, 9).slice(2, 2).equal(images[2].slice(1, 1).slice(2, 0, 18)));
  EXPECT_EQ(augmented[2].select(1, 9).abs().max().item<float>(), 0.0f);
  EXPECT_EQ(augmented[2].slice(2, 0, 2).abs().max().item<float>(), 0.0f);
}

TEST(BatchLoader, DrawsShiftsUpToATenthAndMirrorsColouredImagesOnly) {
  core::Rng rng(1, 0, core::Purpose::choice);
  const torch::Tensor coloured = draw_augmentation(500, {3, 10, 20}, rng);
  EXPECT_TRUE(std::get<0>(coloured.min(0)).equal(torch::tensor({0, 0, 0}, torch::kInt64)));
  EXPECT_TRUE(std::get<0>(coloured.max(0)).equal(torch::tensor({2, 4, 1}, torch::kInt64)));
  EXPECT_EQ(draw_augmentation(500, {1, 10, 20}, rng).select(1, 2).max().item<std::int64_t>(), 0);
}

}  // namespace
}  // namespace accrete::deep::batch_loader_test
