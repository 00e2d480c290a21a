#include "accrete/boosting/time_left.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrete::boosting {
namespace {

/// Samples are this much further apart than the one before, so that there are few of them.
constexpr double sample_growth = 1.05, min_sample_seconds = 0.01;

}  // namespace

double TimeLeft::pace(Work work, double seconds) const {
  const auto later = std::ranges::find_if(samples_, [&](const auto& s) { return s.first > seconds / 2.0; });
  auto from = later == samples_.begin() ? *later : *(later - 1);
  if (phase_.first > from.first && work.done > phase_.second) from = phase_;
  const double done = work.done - from.second;
  return done > 0.0 ? (seconds - from.first) / done : seconds / work.done;
}

TimeEstimate TimeLeft::at(Work work, double seconds) {
  const bool is_first = samples_.size() == 1;
  if (is_first || samples_.back().first >= std::max(sample_growth * samples_[samples_.size() - 2].first,
                                                    samples_[samples_.size() - 2].first + min_sample_seconds))
    samples_.emplace_back();
  samples_.back() = {seconds, work.done};
  if (work.done <= 0.0) return {fraction_, std::numeric_limits<double>::quiet_NaN()};
  double left = std::max(0.0, work.total - work.done) * pace(work, seconds);
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
