#include "accrete/serve/dial_controller.hpp"

#include <algorithm>
#include <cmath>

namespace accrete::serve {
namespace {

constexpr double share = 0.4;  // of the budget that waiting and prediction may take
constexpr double high = 0.6;   // a request above this share of the budget is slow
constexpr double shrink = 0.8, recover = 1.05;
constexpr double smoothing = 0.2;    // of the measured time per row and unit
constexpr double min_period = 0.01;  // seconds between changes of the feedback

}  // namespace

DialController::DialController(const Options& options) : options_(options) {
  options_.max_units = std::max<std::size_t>(options_.max_units, 1);
  options_.min_units = std::clamp<std::size_t>(options_.min_units, 1, options_.max_units);
}

std::size_t DialController::choose(double now, const Queue& queue) {
  const double most = static_cast<double>(options_.max_units);
  double units = most * feedback_;
  if (seconds_per_row_unit_ > 0.0 && queue.rows > 0) {
    const double left = std::max(share * options_.latency - queue.oldest, 0.0);
    const double seconds_per_unit =
        seconds_per_row_unit_ * static_cast<double>(queue.rows) / static_cast<double>(options_.servers);
    units = std::min(units, feedback_ * left / seconds_per_unit);
  }
  if (last_change_ == 0.0) last_change_ = now;
  return static_cast<std::size_t>(std::clamp(units, static_cast<double>(options_.min_units), most));
}

void DialController::finish_batch(std::size_t rows, std::size_t units, double seconds) {
  if (rows == 0 || units == 0) return;
  const double measured = seconds / (static_cast<double>(rows) * static_cast<double>(units));
  if (seconds_per_row_unit_ == 0.0) seconds_per_row_unit_ = measured;
  seconds_per_row_unit_ += smoothing * (measured - seconds_per_row_unit_);
}

void DialController::finish_request(double now, double seconds) {
  slowest_ = std::max(slowest_, seconds);
  const double period = std::max(2.0 * options_.latency, min_period);
  if (now - last_change_ < period) return;
  if (slowest_ > high * options_.latency)
    feedback_ *= shrink;
  else
    feedback_ *= recover;
  const double low = static_cast<double>(options_.min_units) / static_cast<double>(options_.max_units);
  feedback_ = std::clamp(feedback_, low, 1.0);
  slowest_ = 0.0;
  last_change_ = now;
}

}  // namespace accrete::serve
