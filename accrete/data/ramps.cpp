#include "accrete/data/ramps.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

Ramps::Ramps(const Input& input) {
  check_knots(input);
  for (std::size_t j = 0; j < input.bins(); ++j) {
    const double mean = input.bin_means[j], scale = input.bin_scales[j];
    const double knot = input.knots[j], width = input.knots[j + 1] - knot;
    if (width < least_bin_width || width > most_bin_width) refuse(input, "a bin is too narrow or too wide");
    const double slope = 1.0 / (width * scale), low = -mean / scale, high = (1.0 - mean) / scale;
    const bool usable = scale > 0.0 && std::isfinite(scale) && is_float(slope);
    if (!usable || !is_float(low) || !is_float(high)) refuse(input, "a bin's mean or scale is not usable");
    knots.push_back(input.knots[j]);
    // Never 0: an x - knot beyond float is infinite, and must be that much above or below.
    slopes.push_back(std::max(static_cast<float>(slope), std::numeric_limits<float>::min()));
    lows.push_back(static_cast<float>(low));
    highs.push_back(static_cast<float>(high));
  }
}

}  // namespace accrete::data
