#pragma once
// Loss and accuracy of an epoch, batch by batch.

#include <torch/torch.h>

#include <cstdint>
#include <limits>

#include "accrete/deep/batches.hpp"

namespace accrete::deep {

/// Means over examples, summed where the work is done, so that a GPU is not waited for.
class Sums {
 public:
  explicit Sums(torch::Device device) : loss_(torch::zeros({}, torch::dtype(torch::kFloat64).device(device))) {
    right_ = loss_.clone();
  }
  void add(const torch::Tensor& outputs, const torch::Tensor& loss, const Batch& batch) {
    const torch::NoGradGuard no_gradients;
    const std::int64_t count = outputs.size(0);
    loss_ += loss.detach().to(torch::kFloat64) * count;
    classes_ = outputs.size(1) > 1;
    if (classes_) right_ += outputs.argmax(1).eq(batch.targets).sum();
    count_ += count;
  }
  double loss() const { return loss_.item<double>() / static_cast<double>(count_); }
  /// NaN for regression.
  double accuracy() const {
    return classes_ ? right_.item<double>() / static_cast<double>(count_) : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  torch::Tensor loss_, right_;
  std::int64_t count_ = 0;
  bool classes_ = false;
};

}  // namespace accrete::deep
