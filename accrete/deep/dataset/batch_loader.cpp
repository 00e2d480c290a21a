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

void BatchLoader::set_order(const std::vector<std::int64_t>& rows) {
  const torch::Tensor order = torch::tensor(rows, torch::kInt64);
  input_rows_ = order.to(inputs_.device());
  target_rows_ = order.to(device_);
}

TensorBatch BatchLoader::batch(std::size_t first, std::size_t count) {
  const torch::NoGradGuard no_gradients;
  const auto slice = [&](const torch::Tensor& rows) {
    return rows.narrow(0, static_cast<std::int64_t>(first), static_cast<std::int64_t>(count));
  };
  torch::Tensor inputs = inputs_.index_select(0, slice(input_rows_)).to(device_);
  if (!prepared_) inputs = prepare_.forward({inputs}).toTensor();
  return {inputs, targets_.index_select(0, slice(target_rows_))};
}

torch::Tensor draw_augmentation(std::int64_t count, at::IntArrayRef image_shape, core::Rng& rng) {
  const std::int64_t channels = image_shape[0], down = image_shape[1] / 10, right = image_shape[2] / 10;
  torch::Tensor draws = torch::empty({count, 3}, torch::kInt64);
  auto* draw = draws.data_ptr<std::int64_t>();
  const auto draw_below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(rng.below(static_cast<std::size_t>(n)));
  };
  for (std::int64_t n = 0; n < count; ++n) {
    *draw++ = draw_below(2 * down + 1);
    *draw++ = draw_below(2 * right + 1);
    *draw++ = channels == 3 ? draw_below(2) : 0;
  }
  return draws;
}

torch::Tensor augment_images(const torch::Tensor& images, const torch::Tensor& draws) {
  const auto count = images.size(0), channels = images.size(1), height = images.size(2), width = images.size(3);
  const std::int64_t down = height / 10, right = width / 10;
  const auto range = [&](std::int64_t n) {
    return torch::arange(n, torch::dtype(torch::kInt64).device(images.device()));
  };
  const torch::Tensor column = range(width);
  const torch::Tensor columns =
      torch::where(draws.narrow(1, 2, 1).eq(1), width - 1 - column, column) + draws.narrow(1, 1, 1);
  const torch::Tensor rows = range(height) + draws.narrow(1, 0, 1);
  const torch::Tensor padded = torch::constant_pad_nd(images, {right, right, down, down});
  return padded.index({range(count).view({count, 1, 1, 1}), range(channels).view({1, channels, 1, 1}),
                       rows.view({count, 1, height, 1}), columns.view({count, 1, 1, width})});
}

}  // namespace accrete::deep
