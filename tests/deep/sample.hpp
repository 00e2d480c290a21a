#pragma once
// Small examples and purposes that the tests of the deep part share.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "accrete/data/encoder.hpp"
#include "accrete/deep/examples.hpp"
#include "accrete/deep/network_file.hpp"
#include "tests/core/temporary_folder.hpp"

namespace accrete::deep_test {

namespace fs = std::filesystem;

/// A folder of its own, gone with the test.
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

inline deep::Purpose images_purpose(std::int64_t channels, std::int64_t side, std::size_t classes) {
  deep::Purpose purpose;
  purpose.inputs.kind = deep::Inputs::Kind::images;
  purpose.inputs.channels = channels;
  purpose.inputs.height = purpose.inputs.width = side;
  purpose.task = classes == 2 ? data::Task::binary : data::Task::multiclass;
  purpose.targets = {"label"};
  for (std::size_t c = 0; c < classes; ++c) purpose.classes.push_back(std::to_string(c));
  return purpose;
}

/// Columns x0, x1, ... of standard normal numbers; the purpose's classes are given.
struct TableSample {
  deep::Purpose purpose;
  deep::Examples examples;
};

inline deep::Purpose table_purpose(const torch::Tensor& inputs, const std::vector<std::string>& classes) {
  const torch::Tensor values = inputs.contiguous();
  const auto rows = static_cast<std::size_t>(values.size(0)), columns = static_cast<std::size_t>(values.size(1));
  deep::Purpose purpose;
  purpose.inputs.encoder = fit_encoder(data::Table::from_rows({values.data_ptr<float>(), rows, columns}));
  purpose.task = classes.empty()       ? data::Task::regression
                 : classes.size() == 2 ? data::Task::binary
                                       : data::Task::multiclass;
  purpose.targets = {"target"};
  purpose.classes = classes;
  return purpose;
}

/// Two classes: inside and outside of a circle.
inline TableSample circle(std::int64_t rows) {
  const torch::Tensor inputs = 3.0 + 2.0 * torch::randn({rows, 2}, at::make_generator<at::CPUGeneratorImpl>(7));
  const torch::Tensor inside = ((inputs - 3.0).pow(2).sum(1) < 4.0).to(torch::kInt64);
  return {table_purpose(inputs, {"no", "yes"}), {"circle", inputs, inside}};
}

inline std::vector<torch::Tensor> weights_of(const deep::Network& network) {
  std::vector<torch::Tensor> weights;
  for (const torch::Tensor& weight : network.module.parameters()) weights.push_back(weight.detach().clone());
  return weights;
}

inline bool same_weights(const deep::Network& a, const deep::Network& b) {
  const auto x = weights_of(a), y = weights_of(b);
  bool same = x.size() == y.size();
  for (std::size_t i = 0; same && i < x.size(); ++i) same = torch::equal(x[i], y[i]);
  return same;
}

}  // namespace accrete::deep_test
