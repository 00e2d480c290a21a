#include "accrete/boosting/choose/time_left.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrete::boosting {
namespace {

/// Samples are at least this share of the phase's time apart, which bounds their number.
constexpr double sample_spacing = 0.05, min_sample_seconds = 0.01;

}  // namespace

double TimeLeft::pace(Work work, double seconds) const {
  // Steps may speed up or slow down within a phase, so only its last half counts.
  const double half = phase_.first + (seconds - phase_.first) / 2.0;
  const auto later = std::ranges::find_if(samples_, [&](const auto& s) { return s.first > half; });
  auto from = later == samples_.begin() ? *later : *(later - 1);
  if (phase_.first > from.first && work.done > phase_.second) from = phase_;
  const double done = work.done - from.second;
  return done > 0.0 ? (seconds - from.first) / done : seconds / work.done;
}

TimeEstimate TimeLeft::at(Work work, double seconds) {
  const bool is_first = samples_.size() == 1;
  const double before = is_first ? 0.0 : samples_[samples_.size() - 2].first;
  const double spacing = std::max(sample_spacing * (before - phase_.first), min_sample_seconds);
  if (is_first || samples_.back().first >= before + spacing) samples_.emplace_back();
  samples_.back() = {seconds, work.done};
  if (work.done <= 0.0) return {fraction_, std::numeric_limits<double>::quiet_NaN()};
  return with_seconds_left(std::max(0.0, work.total - work.done) * pace(work, seconds), seconds);
}

TimeEstimate TimeLeft::with_seconds_left(double left, double seconds) {
  if (std::isnan(left)) return {fraction_, left};
  if (limit_ > 0.0) left = std::clamp(left, 0.0, std::max(0.0, limit_ - seconds));
  const double share = seconds + left > 0.0 ? seconds / (seconds + left) : 0.0;
  fraction_ = std::max(fraction_, share);
  return {fraction_, left};
}

double expected_steps(std::size_t steps, std::size_t best_step, std::size_t patience, std::size_t max) {
  const double high = static_cast<double>(std::max(max, steps));
  const double low = std::clamp(static_cast<double>(best_step + patience), static_cast<double>(steps), high);
  if (low <= 0.0) return high;
  const double waited =
      patience > 0 ? std::min(1.0, static_cast<double>(steps - best_step) / static_cast<double>(patience)) : 0.0;
  return low * std::pow(high / low, 0.5 * (1.0 - waited));
}

}  // namespace accrete::boosting
