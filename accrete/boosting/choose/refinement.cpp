#include "accrete/boosting/choose/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "accrete/config/draw_size.hpp"

namespace accrete::boosting {
namespace {

constexpr double smaller_feature_fraction = 0.5;
/// Neighbouring penalties differ by this factor.
constexpr double alpha_factor = 3.0;
/// Twice the iterations take up to twice the time of the whole fit, so they must gain this much. Under a time limit,
/// more steps are worth more.
constexpr std::uint64_t iterations_factor = 2;
constexpr double min_gain_of_iterations = 0.04;

using config::ResolvedConfig;

/// Rounding to three digits keeps 10 and 3 * 3.33 the same penalty.
bool is_same_alpha(double a, double b) {
  return std::abs(a - b) <= 0.02 * std::max(a, b);
}

}  // namespace

double round_to_three_digits(double value) {
  if (value == 0.0) return value;
  const double scale = std::pow(10.0, 2.0 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

std::optional<Refinement> next_refinement(const ResolvedConfig& best, std::span<const ResolvedConfig> tried,
                                          const config::Config& given, std::size_t columns) {
  const auto is_any_tried = [&](auto&& condition) { return std::ranges::any_of(tried, condition); };

  const bool fraction_tried =
      is_any_tried([&](const ResolvedConfig& c) { return c.feature_fraction != best.feature_fraction; });
  if (!given.feature_fraction && !fraction_tried && columns > config::min_features_per_step) {
    Refinement fewer{.config = best};
    fewer.config.feature_fraction = smaller_feature_fraction;
    return fewer;
  }

  const auto is_alpha_tried = [&](double alpha) {
    return is_any_tried([&](const ResolvedConfig& c) {
      return c.bins == best.bins && c.feature_fraction == best.feature_fraction && c.max_iter == best.max_iter &&
             is_same_alpha(c.alpha, alpha);
    });
  };
  for (const double factor : {alpha_factor, 1.0 / alpha_factor}) {
    if (given.alpha || best.alpha == 0.0 || is_alpha_tried(best.alpha * factor)) continue;
    Refinement other{.config = best};
    other.config.alpha = round_to_three_digits(best.alpha * factor);
    return other;
  }

  const bool iterations_tried = is_any_tried([&](const ResolvedConfig& c) { return c.max_iter != best.max_iter; });
  if (!given.max_iter && !given.time_limit && !iterations_tried) {
    Refinement longer{.config = best, .min_gain = min_gain_of_iterations};
    longer.config.max_iter *= iterations_factor;
    return longer;
  }
  return std::nullopt;
}

}  // namespace accrete::boosting
