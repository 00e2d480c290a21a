#include "accrete/backend/rows.hpp"

#include <array>
#include <string>

#include "accrete/core/error.hpp"

namespace accrete::backend {

std::span<const Backend> backends() {
  static constexpr std::array list{
      Backend{"cpu", "SIMD kernels over tiles of rows, for the best instruction set of the processor", make_cpu_rows},
      Backend{"reference", "simple loops in double precision: the specification; slow", make_reference_rows},
  };
  return list;
}

const Backend& backend_named(std::string_view name) {
  std::string names;
  for (const Backend& backend : backends()) {
    if (name == backend.name) return backend;
    names += (names.empty() ? "" : ", ") + std::string(backend.name);
  }
  throw core::UsageError("unknown backend '" + std::string(name) + "'; allowed: " + names);
}

double add_penalty(const BlockShape& shape, double alpha_over_n, std::span<const double> parameters,
                   std::span<double> gradient) {
  // Four independent sums hide addition latency.
  double squares[4] = {};
  auto add = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) gradient[i] += alpha_over_n * parameters[i];
    for (; first + 4 <= last; first += 4)
      for (std::size_t i = 0; i < 4; ++i) squares[i] += parameters[first + i] * parameters[first + i];
    for (; first < last; ++first) squares[0] += parameters[first] * parameters[first];
  };
  add(0, shape.hidden_bias_at());
  if (parameters.size() == shape.size()) add(shape.output_weights_at(), shape.output_bias_at());
  return 0.5 * alpha_over_n * ((squares[0] + squares[1]) + (squares[2] + squares[3]));
}

}  // namespace accrete::backend
