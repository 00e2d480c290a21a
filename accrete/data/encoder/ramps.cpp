#include "accrete/data/encoder/ramps.hpp"

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
    refuse(input, "every bin needs a mean and a scale");
  if (input.knots.empty()) return;
  if (input.kind != Column::Kind::numeric) refuse(input, "a text column cannot have bins");
  if (input.bins() < 2 || input.bins() > max_bins) refuse(input, "a column has 2 to 256 bins");
  for (std::size_t j = 0; j < input.knots.size(); ++j)
    if (!std::isfinite(input.knots[j]) || (j > 0 && !(input.knots[j - 1] < input.knots[j])))
      refuse(input, "the knots of its bins must be finite and ascending");
}

bool is_float(double x) {
  return std::abs(x) <= static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace

std::vector<Bin> bins_of(const Input& input) {
  check_knots(input);
  std::vector<Bin> bins;
  bins.reserve(input.bins());
  for (std::size_t j = 0; j < input.bins(); ++j) {
    const Bin bin{input.knots[j], input.knots[j + 1], input.bin_means[j], input.bin_scales[j]};
    if (bin.width() < min_bin_width || bin.width() > max_bin_width) refuse(input, "a bin is too narrow or too wide");
    const bool usable = bin.scale > 0.0 && std::isfinite(bin.scale) && is_float(bin.slope());
    if (!usable || !is_float(bin.low()) || !is_float(bin.high()))
      refuse(input, "a bin's mean or scale is out of range");
    bins.push_back(bin);
  }
  return bins;
}

Ramps::Ramps(std::span<const Bin> bins) {
  for (const Bin& bin : bins) {
    knots.push_back(bin.start);
    // Must not be 0: if x - knot overflows to infinity, the product must stay infinite.
    slopes.push_back(std::max(static_cast<float>(bin.slope()), std::numeric_limits<float>::min()));
    lows.push_back(static_cast<float>(bin.low()));
    highs.push_back(static_cast<float>(bin.high()));
  }
}

}  // namespace accrete::data
