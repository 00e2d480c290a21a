#include "accrete/data/ramps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"

namespace accrete::data {
namespace {

[[noreturn]] void refuse(const Input& input, const char* why) {
  throw core::DataError(fmt::format("encoder: column '{}': {}", input.name, why));
}

void check_knots(const Input& input) {
  if (input.bin_means.size() != input.bins() || input.bin_scales.size() != input.bins())
    refuse(input, "its bins need a mean and a scale each");
  if (input.knots.empty()) return;
  if (input.kind != Column::Kind::numeric) refuse(input, "text has no bins");
  if (input.bins() < 2 || input.bins() > most_bins) refuse(input, "bins are 2 to 256");
  for (std::size_t j = 0; j < input.knots.size(); ++j)
    if (!std::isfinite(input.knots[j]) || (j > 0 && !(input.knots[j - 1] < input.knots[j])))
      refuse(input, "the knots of its bins must be finite and ascend");
}

bool is_float(double x) {
  return std::abs(x) <= static_cast<double>(std::numeric_limits<float>::max());
}

/// Rounded up where rounding down would leave the next knot short of 1.
float inverse_of(float width) {
  const float inverse = 1.0f / width;
  return width * inverse < 1.0f ? std::nextafter(inverse, std::numeric_limits<float>::max()) : inverse;
}

}  // namespace

Ramps::Ramps(const Input& input) {
  check_knots(input);
  for (std::size_t j = 0; j < input.bins(); ++j) {
    const double mean = input.bin_means[j], scale = input.bin_scales[j];
    const float knot = input.knots[j], width = input.knots[j + 1] - knot;
    if (!(width >= least_bin_width) || !(width <= most_bin_width)) refuse(input, "a bin is too narrow or too wide");
    const double factor = 1.0 / scale, offset = -mean / scale;
    const bool usable = scale > 0.0 && std::isfinite(scale) && is_float(factor) && is_float(factor + offset);
    if (!usable || !is_float(offset)) refuse(input, "a bin's mean or scale is not usable");
    knots.push_back(knot);
    inverse_widths.push_back(inverse_of(width));
    factors.push_back(static_cast<float>(factor));
    offsets.push_back(static_cast<float>(offset));
  }
}

}  // namespace accrete::data
