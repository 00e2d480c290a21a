#pragma once
// Running means of loss and accuracy over an epoch.

#include <torch/torch.h>

#include <cstdint>
#include <limits>

#include "accrete/deep/dataset/batch_loader.hpp"

namespace accrete::deep {

/// Means over examples, accumulated on the device so that no batch waits for a copy.
class EpochMeans {
 public:
  explicit EpochMeans(torch::Device device) : loss_(torch::zeros({}, torch::dtype(torch::kFloat64).device(device))) {
    correct_ = loss_.clone();
  }
  void add(const torch::Tensor& outputs, const torch::Tensor& loss, const TensorBatch& batch) {
    const torch::NoGradGuard no_gradients;
    const std::int64_t count = outputs.size(0);
    loss_ += loss.detach().to(torch::kFloat64) * count;
    classes_ = outputs.size(1) > 1;
    if (classes_) correct_ += outputs.argmax(1).eq(batch.targets).sum();
    count_ += count;
  }
  double loss() const { return loss_.item<double>() / static_cast<double>(count_); }
  /// NaN for regression.
  double accuracy() const {
    return classes_ ? correct_.item<double>() / static_cast<double>(count_) : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  torch::Tensor loss_, correct_;
  std::int64_t count_ = 0;
  bool classes_ = false;
};

}  // namespace accrete::deep
