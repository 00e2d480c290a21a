#pragma once
// Examples as training takes them: prepared, on the device, in a fresh order every epoch.

#include <torch/script.h>

#include <cstdint>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/deep/examples.hpp"

namespace accrete::deep {

struct Batch {
  torch::Tensor inputs;   ///< what the first layer takes
  torch::Tensor targets;  ///< class indices, or standardised values
};

/// Life: made from the examples -> batch(rows) for any rows. Tables are prepared once, images batch by batch, since as
/// bytes they take a quarter of the memory. On a GPU the examples stay there unless they are very many.
class Batches {
 public:
  Batches(torch::jit::Module prepare, const Examples& examples, const Purpose& purpose, torch::Device device);

  std::int64_t size() const { return inputs_.size(0); }
  Batch batch(const std::vector<std::int64_t>& rows);

 private:
  torch::jit::Module prepare_;
  torch::Tensor inputs_, targets_;
  torch::Device device_;
  bool prepared_;
};

/// Images, each shifted by up to a tenth of its sides, black where nothing is, and, with three channels, every other
/// one mirrored.
torch::Tensor vary_images(const torch::Tensor& images, core::Rng& rng);

}  // namespace accrete::deep
