#pragma once
// Chooses the number of units of each batch so that requests are answered within a latency budget.
//
// Two limits, the smaller counts, and a factor on both:
//
//   queue        the rows that wait, at the measured time per row and unit, must be done within the budget's share for
//                prediction; this follows a burst at once
//   utilization  the rows that arrive per second must keep the slots busy for a part of the time only; otherwise
//                requests that are not read yet wait for a core, in a queue that the first limit does not see
//   feedback     a factor that shrinks when requests took longer than the share and recovers slowly, for all else
//
// Pure logic: time is passed in, so that tests simulate it. Not thread-safe.

#include <cstddef>

namespace accrete::serve {

class DialController {
 public:
  struct Options {
    double latency = 0.0;       ///< budget in seconds, above 0
    std::size_t min_units = 1;  ///< at least 1
    std::size_t max_units = 1;  ///< all units of the model
    std::size_t servers = 1;    ///< batches that run at the same time
  };

  explicit DialController(const Options& options);

  /// What waits when a batch starts.
  struct Queue {
    std::size_t rows = 0;  ///< including the batch
    double oldest = 0.0;   ///< seconds that the first of them has waited
  };

  /// Units for the next batch, between min_units and max_units.
  std::size_t choose(double now, const Queue& queue);

  /// A batch took that many seconds.
  void finish_batch(double now, std::size_t rows, std::size_t units, double seconds);

  /// A request was answered that many seconds after it arrived.
  void finish_request(double now, double seconds);

  double feedback() const { return feedback_; }

 private:
  void count_rows(double now, std::size_t rows);

  Options options_;
  double seconds_per_row_unit_ = 0.0;  ///< 0: not measured yet
  double rows_per_second_ = 0.0, last_rows_ = 0.0;
  double feedback_ = 1.0;
  double last_change_ = 0.0;
  int slow_ = 0;  ///< requests since the last change
};

}  // namespace accrete::serve
