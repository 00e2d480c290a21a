#include "accrete/backend/reference_row.hpp"

namespace accrete::backend {

loss::LossRows<double> ReferenceRow::loss_rows(std::span<const double> scores) const {
  return {.count = 1,
          .stride = 1,
          .outputs = problem_.outputs,
          .targets = problem_.dataset.targets.row(row_).data(),
          .scores = scores.data(),
          .settings = problem_.loss.settings};
}

double ReferenceRow::loss(std::span<const double> scores) const {
  double value = 0.0;
  problem_.loss.visit([&](auto formula) { decltype(formula)::values(loss_rows(scores), &value); });
  return value;
}

std::vector<double> ReferenceRow::derivatives(std::span<const double> scores) const {
  std::vector<double> result(problem_.outputs);
  problem_.loss.visit([&](auto formula) { decltype(formula)::derivatives(loss_rows(scores), result.data()); });
  return result;
}

std::vector<double> ReferenceRow::curvatures(std::span<const double> scores) const {
  std::vector<double> result(problem_.outputs);
  problem_.loss.visit([&](auto formula) { decltype(formula)::curvatures(loss_rows(scores), result.data()); });
  return result;
}

double ReferenceRow::activate(double z) const {
  return activation::All::visit(problem_.activation.index, [&](auto formula) { return formula.value(z); });
}

double ReferenceRow::slope(double output) const {
  return activation::All::visit(problem_.activation.index, [&](auto formula) { return formula.slope(output); });
}

std::vector<double> ReferenceRow::block_outputs(const network::Block& block) const {
  std::vector<double> h(block.output_bias);
  for (std::size_t j = 0; j < block.units; ++j) {
    double z = block.hidden_bias[j];
    for (std::size_t i = 0; i < block.features.size(); ++i)
      z += double(block.hidden_weights[j * block.features.size() + i]) * feature(block.features[i]);
    for (std::size_t k = 0; k < problem_.outputs; ++k)
      h[k] += block.output_weights[j * problem_.outputs + k] * activate(z);
  }
  return h;
}

std::vector<double> ReferenceRow::hidden_outputs(const BlockShape& shape, std::span<const std::size_t> features,
                                                 std::span<const double> parameters) const {
  std::vector<double> a(shape.units);
  for (std::size_t j = 0; j < shape.units; ++j) {
    double z = parameters[shape.hidden_bias_at() + j];
    for (std::size_t i = 0; i < shape.features; ++i) z += parameters[j * shape.features + i] * feature(features[i]);
    a[j] = activate(z);
  }
  return a;
}

}  // namespace accrete::backend
