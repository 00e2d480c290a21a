#pragma once
// Contributions by simple loops in double over the encoded features, and what they are compared with: the integral of
// the gradient, and Shapley values.

#include <cmath>
#include <cstddef>
#include <vector>

#include "accrete/model/model.hpp"

namespace accrete::explain {

/// One row of a model in double: the weighted value of every input in every unit.
class ReferenceRow {
 public:
  ReferenceRow(const model::Model& model, const core::TiledMatrix& features, std::size_t row, std::size_t steps)
      : network_(model.network), units_(model.network.units_after(steps)), steps_(steps) {
    for (const data::ColumnEncoding& column : model.encoder.columns()) {
      std::vector<double> weighted(units_, 0.0);
      for (std::size_t u = 0; u < units_; ++u)
        for (std::size_t f = column.first(); f < column.first() + column.width(); ++f)
          weighted[u] += double(network_.hidden_weights()[u * network_.features() + f]) * double(features.at(row, f));
      weighted_.push_back(std::move(weighted));
    }
  }

  std::size_t columns() const { return weighted_.size(); }

  /// By the closed form.
  double contribution(std::size_t column, std::size_t output) const {
    double sum = 0.0;
    for (std::size_t u = 0; u < units_; ++u) {
      const double z0 = network_.hidden_bias()[u], d = total(u);
      const double slope = std::abs(d) < 1e-6 ? derivative(z0 + 0.5 * d) : (activate(z0 + d) - activate(z0)) / d;
      sum += weight(u, output) * slope * weighted_[column][u];
    }
    return sum;
  }

  /// By the midpoint rule on the line from the baseline to the row.
  double integral(std::size_t column, std::size_t output, std::size_t points) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < points; ++i) {
      const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(points);
      for (std::size_t u = 0; u < units_; ++u)
        sum += weight(u, output) * derivative(network_.hidden_bias()[u] + t * total(u)) * weighted_[column][u];
    }
    return sum / static_cast<double>(points);
  }

  /// The score of the row with the columns outside the set, a bit mask, at the baseline.
  double score(std::size_t set, std::size_t output) const {
    double sum = network_.bias_after(steps_)[output];
    for (std::size_t u = 0; u < units_; ++u) {
      double z = network_.hidden_bias()[u];
      for (std::size_t c = 0; c < columns(); ++c)
        if (set >> c & 1) z += weighted_[c][u];
      sum += weight(u, output) * activate(z);
    }
    return sum;
  }

  /// By enumeration of all sets of the other columns.
  double shapley(std::size_t column, std::size_t output) const {
    double sum = 0.0;
    for (std::size_t set = 0; set < std::size_t{1} << columns(); ++set) {
      if (set >> column & 1) continue;
      const auto size = static_cast<double>(__builtin_popcountll(set)), n = static_cast<double>(columns());
      const double share = std::tgamma(size + 1.0) * std::tgamma(n - size) / std::tgamma(n + 1.0);
      sum += share * (score(set | std::size_t{1} << column, output) - score(set, output));
    }
    return sum;
  }

  /// A bound on the rounding errors of a float implementation.
  double tolerance(std::size_t output) const {
    double sum = 1e-9;
    for (std::size_t u = 0; u < units_; ++u) {
      double magnitude = 1.0 + std::abs(double(network_.hidden_bias()[u]));
      for (std::size_t c = 0; c < columns(); ++c) magnitude += std::abs(weighted_[c][u]);
      sum += 1e-6 * std::abs(weight(u, output)) * magnitude;
    }
    return sum;
  }

 private:
  double total(std::size_t unit) const {
    double sum = 0.0;
    for (const auto& weighted : weighted_) sum += weighted[unit];
    return sum;
  }
  double weight(std::size_t unit, std::size_t output) const {
    return network_.output_weights()[unit * network_.outputs() + output];
  }
  double activate(double z) const {
    return activation::All::visit(network_.activation().index, [&](auto f) { return f.value(z); });
  }
  double derivative(double z) const {
    return activation::All::visit(network_.activation().index, [&](auto f) { return f.slope(f.value(z)); });
  }

  const network::Network& network_;
  std::size_t units_, steps_;
  std::vector<std::vector<double>> weighted_;  ///< by input, then unit
};

}  // namespace accrete::explain
