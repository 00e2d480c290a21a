#pragma once
// Small datasets and signatures that the tests of deep networks share.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "accrete/data/encoder.hpp"
#include "accrete/deep/dataset.hpp"
#include "accrete/deep/network_file.hpp"
#include "tests/core/temporary_folder.hpp"

namespace accrete::deep_test {

namespace fs = std::filesystem;

/// Creates a temporary folder for each test.
class FolderTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  core::TemporaryFolder temporary_;
  fs::path folder_ = temporary_.folder();
};

inline data::Encoder fit_encoder(const data::Table& table, const data::EncoderOptions& options = {}) {
  std::vector<std::size_t> rows(table.rows()), columns(table.columns.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(columns.begin(), columns.end(), 0);
  return data::Encoder::fit(table, columns, {rows}, options);
}

inline deep::Signature images_signature(std::int64_t channels, std::int64_t side, std::size_t classes) {
  deep::Signature signature;
  signature.inputs.kind = deep::Inputs::Kind::images;
  signature.inputs.channels = channels;
  signature.inputs.height = signature.inputs.width = side;
  signature.task = classes == 2 ? data::Task::binary : data::Task::multiclass;
  signature.targets = {"label"};
  for (std::size_t c = 0; c < classes; ++c) signature.classes.push_back(std::to_string(c));
  return signature;
}

/// Columns x0, x1, ... of standard normal numbers; the classes are given.
struct TableSample {
  deep::Signature signature;
  deep::TensorDataset dataset;
};

inline deep::Signature table_signature(const torch::Tensor& inputs, const std::vector<std::string>& classes) {
  const torch::Tensor values = inputs.contiguous();
  const auto rows = static_cast<std::size_t>(values.size(0)), columns = static_cast<std::size_t>(values.size(1));
  deep::Signature signature;
  signature.inputs.encoder = fit_encoder(data::Table::from_rows({values.data_ptr<float>(), rows, columns}));
  signature.task = classes.empty()       ? data::Task::regression
                   : classes.size() == 2 ? data::Task::binary
                                         : data::Task::multiclass;
  signature.targets = {"target"};
  signature.classes = classes;
  return signature;
}

/// Two classes: inside and outside of a circle.
inline TableSample circle(std::int64_t rows) {
  const torch::Tensor inputs = 3.0 + 2.0 * torch::randn({rows, 2}, at::make_generator<at::CPUGeneratorImpl>(7));
  const torch::Tensor inside = ((inputs - 3.0).pow(2).sum(1) < 4.0).to(torch::kInt64);
  return {table_signature(inputs, {"no", "yes"}), {"circle", inputs, inside}};
}

inline std::vector<torch::Tensor> weights_of(const deep::TorchNetwork& network) {
  std::vector<torch::Tensor> weights;
  for (const torch::Tensor& weight : network.module.parameters()) weights.push_back(weight.detach().clone());
  return weights;
}

inline bool same_weights(const deep::TorchNetwork& a, const deep::TorchNetwork& b) {
  const auto x = weights_of(a), y = weights_of(b);
  bool same = x.size() == y.size();
  for (std::size_t i = 0; same && i < x.size(); ++i) same = torch::equal(x[i], y[i]);
  return same;
}

}  // namespace accrete::deep_test
