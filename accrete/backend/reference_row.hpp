#pragma once
// Formulas of docs/method.md for a single row, in double: the building blocks of the reference backend.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/rows.hpp"

namespace accrete::backend {

class ReferenceRow {
 public:
  /// Keeps a reference to the problem.
  ReferenceRow(const TrainingProblem& problem, std::size_t row) : problem_(problem), row_(row) {}

  double weight() const { return problem_.dataset.weights[row_]; }
  double feature(std::size_t i) const { return problem_.dataset.features.at(row_, i); }

  /// The loss at these scores (one per output), and its first and second derivatives with respect to each.
  double loss(std::span<const double> scores) const;
  std::vector<double> derivatives(std::span<const double> scores) const;
  std::vector<double> curvatures(std::span<const double> scores) const;

  /// Outputs of a block, with its output bias.
  std::vector<double> block_outputs(const network::Block& block) const;
  /// Hidden outputs on the listed features; the hidden layer is at the start of `parameters`, in BlockShape order.
  std::vector<double> hidden_outputs(const BlockShape& shape, std::span<const std::size_t> features,
                                     std::span<const double> parameters) const;
  /// Slope of the activation at a hidden output.
  double slope(double output) const;

 private:
  loss::LossRows<double> loss_rows(std::span<const double> scores) const;
  double activate(double z) const;

  const TrainingProblem& problem_;
  std::size_t row_;
};

}  // namespace accrete::backend
