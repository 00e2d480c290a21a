#include "accrete/backend/rows.hpp"

#include <array>
#include <string>
#include <utility>

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

network::Block make_block(const BlockShape& shape, std::vector<std::size_t> features,
                          std::span<const double> parameters, std::span<const double> scale) {
  const auto floats = [&](std::size_t first, std::size_t last) {
    const auto part = parameters.subspan(first, last - first);
    return std::vector<float>(part.begin(), part.end());
  };
  network::Block block{.units = shape.units,
                       .outputs = shape.outputs,
                       .features = std::move(features),
                       .hidden_weights = floats(0, shape.hidden_bias_at()),
                       .hidden_bias = floats(shape.hidden_bias_at(), shape.output_weights_at()),
                       .output_weights = {},
                       .output_bias = {}};
  for (std::size_t i = 0; i < shape.units * shape.outputs; ++i)
    block.output_weights.push_back(
        static_cast<float>(scale[i % shape.outputs] * parameters[shape.output_weights_at() + i]));
  for (std::size_t k = 0; k < shape.outputs; ++k)
    block.output_bias.push_back(scale[k] * parameters[shape.output_bias_at() + k]);
  return block;
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
