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
  TensorBatch batch(const std::vector<std::int64_t>& rows);

 private:
  torch::jit::Module prepare_;
  torch::Tensor inputs_, targets_;
  torch::Device device_;
  bool prepared_;
};

/// Augments images: shifts by up to a tenth of each side with black padding and, with three channels, mirrors with
/// probability one half.
torch::Tensor augment_images(const torch::Tensor& images, core::Rng& rng);

}  // namespace accrete::deep
