#pragma once
// Mini-batches for training: prepared inputs on the device.

#include <torch/script.h>

#include <cstdint>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/deep/dataset.hpp"

namespace accrete::deep {

/// The tensors of a mini-batch.
struct TensorBatch {
  torch::Tensor inputs;   ///< input of the first layer
  torch::Tensor targets;  ///< class indices, or standardised values
};

/// Tables are prepared once, images per batch because bytes take a quarter of the memory. On a GPU, examples stay
/// resident if they fit.
class BatchLoader {
 public:
  BatchLoader(torch::jit::Module prepare, const TensorDataset& dataset, const Signature& signature,
              torch::Device device);

  std::int64_t size() const { return inputs_.size(0); }
  /// Sets the rows that `batch` takes its slices from. They are copied to the device once, because a copy per batch
  /// would wait for the work before it.
  void set_order(const std::vector<std::int64_t>& rows);
  /// The examples first ... first + count - 1 of the order.
  TensorBatch batch(std::size_t first, std::size_t count);

 private:
  torch::jit::Module prepare_;
  torch::Tensor inputs_, targets_;
  torch::Tensor input_rows_, target_rows_;  // the order, on the device of inputs_ and targets_
  torch::Device device_;
  bool prepared_;
};

/// Random shifts and mirrors of `count` images: a row (down, right, mirrored) per image, on the CPU. The shifts are up
/// to a tenth of each side; images with three channels are mirrored with probability one half.
torch::Tensor draw_augmentation(std::int64_t count, at::IntArrayRef image_shape, core::Rng& rng);

/// The images after the shifts and mirrors of `draws`, with black padding.
torch::Tensor augment_images(const torch::Tensor& images, const torch::Tensor& draws);

}  // namespace accrete::deep
