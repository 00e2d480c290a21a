#include "accrete/deep/examples/batches.hpp"

#include <torch/torch.h>

namespace accrete::deep {
namespace {

constexpr std::size_t max_resident_bytes = std::size_t{8} << 30;
constexpr std::int64_t prepare_rows = 1 << 14;

/// In slices, because the computation takes several times the memory of its result.
torch::Tensor prepare_all(torch::jit::Module& prepare, const torch::Tensor& inputs) {
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& part : inputs.split(prepare_rows)) parts.push_back(prepare.forward({part}).toTensor());
  return torch::cat(parts);
}

torch::Tensor standardise(const torch::Tensor& targets, const Purpose& purpose) {
  if (!purpose.classes.empty()) return targets;
  return ((targets.to(torch::kFloat64) - purpose.shift) / purpose.scale).to(torch::kFloat32);
}

}  // namespace

MiniBatches::MiniBatches(torch::jit::Module prepare, const Examples& examples, const Purpose& purpose,
                         torch::Device device)
    : prepare_(std::move(prepare)), device_(device), prepared_(purpose.inputs.kind == Inputs::Kind::table) {
  const torch::NoGradGuard no_gradients;
  inputs_ = prepared_ ? prepare_all(prepare_, examples.inputs) : examples.inputs;
  targets_ = standardise(examples.targets, purpose);
  if (inputs_.nbytes() <= max_resident_bytes) inputs_ = inputs_.to(device);
  targets_ = targets_.to(device);
  prepare_.to(device);
}

MiniBatch MiniBatches::batch(const std::vector<std::int64_t>& rows) {
  const torch::NoGradGuard no_gradients;
  const torch::Tensor which = torch::tensor(rows, torch::kInt64);
  torch::Tensor inputs = inputs_.index_select(0, which.to(inputs_.device())).to(device_);
  if (!prepared_) inputs = prepare_.forward({inputs}).toTensor();
  return {inputs, targets_.index_select(0, which.to(device_))};
}

torch::Tensor vary_images(const torch::Tensor& images, core::Rng& rng) {
  const auto count = images.size(0), channels = images.size(1), height = images.size(2), width = images.size(3);
  const std::int64_t down = height / 10, right = width / 10;
  torch::Tensor rows = torch::empty({count, 1, height, 1}, torch::kInt64);
  torch::Tensor columns = torch::empty({count, 1, 1, width}, torch::kInt64);
  auto* row = rows.data_ptr<std::int64_t>();
  auto* column = columns.data_ptr<std::int64_t>();
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(rng.below(static_cast<std::size_t>(n))); };
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t y = below(2 * down + 1), x = below(2 * right + 1);
    const bool mirrored = channels == 3 && below(2) == 1;
    for (std::int64_t i = 0; i < height; ++i) *row++ = y + i;
    for (std::int64_t j = 0; j < width; ++j) *column++ = x + (mirrored ? width - 1 - j : j);
  }
  const auto device = images.device();
  const torch::Tensor which = torch::arange(count, torch::kInt64).view({count, 1, 1, 1});
  const torch::Tensor channel = torch::arange(channels, torch::kInt64).view({1, channels, 1, 1});
  const torch::Tensor padded = torch::constant_pad_nd(images, {right, right, down, down});
  return padded.index({which.to(device), channel.to(device), rows.to(device), columns.to(device)});
}

}  // namespace accrete::deep
