#include "accrete/deep/dataset/batch_loader.hpp"

#include <torch/torch.h>

namespace accrete::deep {
namespace {

constexpr std::size_t max_resident_bytes = std::size_t{8} << 30;
constexpr std::int64_t prepare_rows = 1 << 14;

/// Slices, because the computation takes several times the memory of its result.
torch::Tensor prepare_in_slices(torch::jit::Module& prepare, const torch::Tensor& inputs) {
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& part : inputs.split(prepare_rows)) parts.push_back(prepare.forward({part}).toTensor());
  return torch::cat(parts);
}

torch::Tensor standardise(const torch::Tensor& targets, const Signature& signature) {
  if (!signature.classes.empty()) return targets;
  return ((targets.to(torch::kFloat64) - signature.shift) / signature.scale).to(torch::kFloat32);
}

}  // namespace

BatchLoader::BatchLoader(torch::jit::Module prepare, const TensorDataset& dataset, const Signature& signature,
                         torch::Device device)
    : prepare_(std::move(prepare)), device_(device), prepared_(signature.inputs.kind == Inputs::Kind::table) {
  const torch::NoGradGuard no_gradients;
  inputs_ = prepared_ ? prepare_in_slices(prepare_, dataset.inputs) : dataset.inputs;
  targets_ = standardise(dataset.targets, signature);
  if (inputs_.nbytes() <= max_resident_bytes) inputs_ = inputs_.to(device);
  targets_ = targets_.to(device);
  prepare_.to(device);
}

TensorBatch BatchLoader::batch(const std::vector<std::int64_t>& rows) {
  const torch::NoGradGuard no_gradients;
  const torch::Tensor indices = torch::tensor(rows, torch::kInt64);
  torch::Tensor inputs = inputs_.index_select(0, indices.to(inputs_.device())).to(device_);
  if (!prepared_) inputs = prepare_.forward({inputs}).toTensor();
  return {inputs, targets_.index_select(0, indices.to(device_))};
}

torch::Tensor augment_images(const torch::Tensor& images, core::Rng& rng) {
  const auto count = images.size(0), channels = images.size(1), height = images.size(2), width = images.size(3);
  const std::int64_t down = height / 10, right = width / 10;
  torch::Tensor rows = torch::empty({count, 1, height, 1}, torch::kInt64);
  torch::Tensor columns = torch::empty({count, 1, 1, width}, torch::kInt64);
  auto* row = rows.data_ptr<std::int64_t>();
  auto* column = columns.data_ptr<std::int64_t>();
  const auto draw_below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(rng.below(static_cast<std::size_t>(n)));
  };
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t y = draw_below(2 * down + 1), x = draw_below(2 * right + 1);
    const bool mirrored = channels == 3 && draw_below(2) == 1;
    for (std::int64_t i = 0; i < height; ++i) *row++ = y + i;
    for (std::int64_t j = 0; j < width; ++j) *column++ = x + (mirrored ? width - 1 - j : j);
  }
  const auto device = images.device();
  const torch::Tensor image = torch::arange(count, torch::kInt64).view({count, 1, 1, 1});
  const torch::Tensor channel = torch::arange(channels, torch::kInt64).view({1, channels, 1, 1});
  const torch::Tensor padded = torch::constant_pad_nd(images, {right, right, down, down});
  return padded.index({image.to(device), channel.to(device), rows.to(device), columns.to(device)});
}

}  // namespace accrete::deep
