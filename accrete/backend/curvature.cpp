#include "accrete/backend/curvature.hpp"

#include "accrete/solver/cholesky.hpp"

namespace accrete::backend {

void gauss_newton(const BlockShape& shape, std::span<double> products, std::span<const double> output_layer,
                  double alpha_over_n, std::span<double> matrix) {
  const std::size_t units = shape.units, n = curvature_columns(shape), first = units + 1, size = shape.hidden_size();
  for (std::size_t j = 0; j < units; ++j) products[j * n + j] += alpha_over_n;
  solver::eliminate(products.data(), n, first);

  const auto unit_of = [&](std::size_t p) { return p < shape.hidden_bias_at() ? p / shape.features : p % units; };
  for (std::size_t p = 0; p < size; ++p) {
    const double* v = output_layer.data() + unit_of(p) * shape.outputs;
    for (std::size_t q = p; q < size; ++q) {
      const double* u = output_layer.data() + unit_of(q) * shape.outputs;
      double product = 0.0;
      for (std::size_t k = 0; k < shape.outputs; ++k) product += v[k] * u[k];
      matrix[p * size + q] = product * products[(first + p) * n + first + q];
    }
    if (p < shape.hidden_bias_at()) matrix[p * size + p] += alpha_over_n;
  }
}

}  // namespace accrete::backend
