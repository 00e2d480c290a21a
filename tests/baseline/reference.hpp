#pragma once
// Reference implementation of a plain network's objective: double precision, row by row. Finite differences check it.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::baseline {

/// The inputs of an objective.
struct ObjectiveCase {
  network::PlainShape shape;
  activation::Activation activation;
  loss::Loss loss;
  data::Dataset data;
  double alpha = 0.0;
};

/// Random rows for a loss: classes, or one number per output. Weights have mean 1 over many rows.
inline ObjectiveCase make_case(std::vector<std::size_t> widths, const std::string& activation, const std::string& loss,
                               std::size_t rows, std::uint64_t seed = 1) {
  ObjectiveCase c{
      network::PlainShape(widths), activation::Activation::named(activation), loss::Loss::named(loss), {}, 0.3};
  core::Rng rng(seed, rows, core::Purpose::generator);
  core::TiledMatrix x(rows, widths.front());
  const std::size_t outputs = widths.back();
  c.data.targets = core::Matrix<double>(rows, c.loss.classes() ? 1 : outputs);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < widths.front(); ++f) x.at(r, f) = static_cast<float>(rng.normal());
    for (double& y : c.data.targets.row(r))
      y = c.loss.classes() ? static_cast<double>(rng.below(outputs == 1 ? 2 : outputs)) : rng.normal();
    c.data.weights.push_back(0.5 + rng.uniform());
  }
  c.data.features = std::move(x);
  return c;
}

inline std::vector<double> random_parameters(const network::PlainShape& shape, std::uint64_t seed = 2) {
  core::Rng rng(seed, 0, core::Purpose::weights);
  std::vector<double> parameters(shape.size());
  for (double& p : parameters) p = static_cast<float>(0.5 * rng.normal());  // exact in float, as in the kernel
  return parameters;
}

inline double activated(activation::Activation activation, double z) {
  return activation::All::visit(activation.index, [&](auto f) { return decltype(f)::value(z); });
}
inline double slope(activation::Activation activation, double a) {
  return activation::All::visit(activation.index, [&](auto f) { return decltype(f)::slope(a); });
}

/// The outputs of every layer for one row, the features first.
inline std::vector<std::vector<double>> layer_outputs(const ObjectiveCase& c, std::span<const double> p,
                                                      std::size_t row) {
  std::vector<std::vector<double>> outs(1);
  for (std::size_t f = 0; f < c.shape.features(); ++f) outs[0].push_back(c.data.features.at(row, f));
  for (std::size_t l = 0; l < c.shape.layers(); ++l) {
    std::vector<double> next;
    for (std::size_t q = 0; q < c.shape.outputs(l); ++q) {
      double z = p[c.shape.bias_at(l) + q];
      for (std::size_t i = 0; i < c.shape.inputs(l); ++i)
        z += p[c.shape.weights_at(l) + q * c.shape.inputs(l) + i] * outs[l][i];
      next.push_back(l + 1 < c.shape.layers() ? activated(c.activation, z) : z);
    }
    outs.push_back(std::move(next));
  }
  return outs;
}

/// The objective of the listed rows and its gradient.
inline double reference(const ObjectiveCase& c, std::span<const double> p, std::span<const std::size_t> rows,
                        std::vector<double>& gradient) {
  gradient.assign(p.size(), 0.0);
  double value = 0.0, weight = 0.0;
  for (const std::size_t r : rows) {
    const auto outs = layer_outputs(c, p, r);
    std::vector<double> delta(c.shape.outputs());
    double loss = 0.0;
    const loss::LossRows<double> run{.count = 1,
                                     .stride = 1,
                                     .outputs = delta.size(),
                                     .targets = c.data.targets.row(r).data(),
                                     .scores = outs.back().data(),
                                     .settings = c.loss.settings};
    c.loss.visit([&](auto l) { decltype(l)::values_and_derivatives(run, &loss, delta.data()); });
    value += c.data.weights[r] * loss;
    weight += c.data.weights[r];
    for (double& d : delta) d *= c.data.weights[r];
    for (std::size_t l = c.shape.layers(); l-- > 0;) {
      std::vector<double> earlier(c.shape.inputs(l), 0.0);
      for (std::size_t q = 0; q < delta.size(); ++q) {
        gradient[c.shape.bias_at(l) + q] += delta[q];
        for (std::size_t i = 0; i < earlier.size(); ++i) {
          const std::size_t at = c.shape.weights_at(l) + q * earlier.size() + i;
          gradient[at] += delta[q] * outs[l][i];
          earlier[i] += delta[q] * p[at] * slope(c.activation, outs[l][i]);
        }
      }
      delta = std::move(earlier);
    }
  }
  const double penalty = c.alpha / (static_cast<double>(rows.size()) * c.data.row_weight);
  value /= weight;
  for (double& g : gradient) g /= weight;
  for (std::size_t l = 0; l < c.shape.layers(); ++l)
    for (std::size_t i = c.shape.weights_at(l); i < c.shape.bias_at(l); ++i) {
      value += 0.5 * penalty * p[i] * p[i];
      gradient[i] += penalty * p[i];
    }
  return value;
}

}  // namespace accrete::baseline
