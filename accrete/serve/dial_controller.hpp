#pragma once
// Chooses the number of units of each batch so that requests are answered within a latency budget.
//
// The result is the smaller of two limits, multiplied by a feedback factor:
//
//   queue        the waiting rows, at the measured time per row and unit, must finish within the prediction's share of
//                the budget; reacts to a burst immediately
//   utilization  the arrival rate of rows must leave the slots partly idle; otherwise unread requests wait for a
//                core in a queue that the first limit cannot see
//   feedback     a factor that shrinks if requests take longer than the share and recovers slowly, for everything else
//
// Pure logic: time is an argument, so that tests can simulate it. Not thread-safe.

#include <cstddef>

namespace accrete::serve {

class DialController {
 public:
  struct Options {
    double latency = 0.0;       ///< latency budget in seconds, above 0
    std::size_t min_units = 1;  ///< at least 1
    std::size_t max_units = 1;  ///< all units of the model
    std::size_t servers = 1;    ///< batches that may run concurrently
  };

  explicit DialController(const Options& options);

  /// The queue when a batch starts.
  struct Queue {
    std::size_t rows = 0;  ///< rows, including the batch
    double oldest = 0.0;   ///< seconds that the oldest request has waited
  };

  /// The number of units for the next batch, between min_units and max_units.
  std::size_t choose(double now, const Queue& queue);

  /// Reports that a batch took this many seconds.
  void finish_batch(double now, std::size_t rows, std::size_t units, double seconds);

  /// Reports that a request was answered this many seconds after it arrived.
  void finish_request(double now, double seconds);

  double feedback() const { return feedback_; }

 private:
  void count_rows(double now, std::size_t rows);

  Options options_;
  double seconds_per_row_unit_ = 0.0;  ///< 0: not measured yet
  double rows_per_second_ = 0.0, last_rows_ = 0.0;
  double feedback_ = 1.0;
  double last_change_ = 0.0;
  int slow_ = 0;  ///< slow requests since the last change
};

}  // namespace accrete::serve
