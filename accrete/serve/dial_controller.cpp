#include "accrete/serve/dial_controller.hpp"

#include <algorithm>
#include <cmath>

namespace accrete::serve {
namespace {

constexpr double share = 0.4;                   // of the budget, for waiting and prediction
constexpr double high = 0.45;                   // requests above this share of the budget are slow
constexpr double shrink = 0.8, recover = 1.05;  // per slow request, and per period without any
constexpr int max_shrinks = 4;                  // per period
constexpr double utilization = 0.7;             // target share of the slots' time
constexpr double smoothing = 0.2;               // of the measured time per row and unit
constexpr double min_period = 0.01;             // seconds between feedback changes
constexpr double min_window = 0.1;              // seconds over which the arrival rate is averaged

}  // namespace

DialController::DialController(const Options& options) : options_(options) {
  options_.max_units = std::max<std::size_t>(options_.max_units, 1);
  options_.min_units = std::clamp<std::size_t>(options_.min_units, 1, options_.max_units);
}

std::size_t DialController::choose(double now, const Queue& queue) {
  const double most = static_cast<double>(options_.max_units);
  double units = most * feedback_;
  if (seconds_per_row_unit_ > 0.0 && queue.rows > 0) {
    const double seconds_per_unit = seconds_per_row_unit_ / static_cast<double>(options_.servers);  // per row
    const double left = std::max(share * options_.latency - queue.oldest, 0.0);
    units = std::min(units, feedback_ * left / (seconds_per_unit * static_cast<double>(queue.rows)));
    if (rows_per_second_ > 0.0)
      units = std::min(units, feedback_ * utilization / (seconds_per_unit * rows_per_second_));
  }
  if (last_change_ == 0.0) last_change_ = now;
  return static_cast<std::size_t>(std::clamp(units, static_cast<double>(options_.min_units), most));
}

void DialController::count_rows(double now, std::size_t rows) {
  const double window = std::max(min_window, 4.0 * options_.latency);
  rows_per_second_ *= std::exp((last_rows_ - now) / window);
  rows_per_second_ += static_cast<double>(rows) / window;
  last_rows_ = now;
}

void DialController::finish_batch(double now, std::size_t rows, std::size_t units, double seconds) {
  if (rows == 0 || units == 0) return;
  count_rows(now, rows);
  const double measured = seconds / (static_cast<double>(rows) * static_cast<double>(units));
  if (seconds_per_row_unit_ == 0.0) seconds_per_row_unit_ = measured;
  seconds_per_row_unit_ += smoothing * (measured - seconds_per_row_unit_);
}

void DialController::finish_request(double now, double seconds) {
  if (seconds > high * options_.latency) ++slow_;
  const double period = std::max(2.0 * options_.latency, min_period);
  if (now - last_change_ < period) return;
  feedback_ *= slow_ == 0 ? recover : std::pow(shrink, std::min(slow_, max_shrinks));
  const double low = static_cast<double>(options_.min_units) / static_cast<double>(options_.max_units);
  feedback_ = std::clamp(feedback_, low, 1.0);
  slow_ = 0;
  last_change_ = now;
}

}  // namespace accrete::serve
