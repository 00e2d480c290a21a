#pragma once
// Chooses the number of units of each batch so that requests are answered within a latency budget.
//
// Two rules, the smaller result counts:
//
//   forecast   the rows that wait, at the measured time per row and unit, must be done within the budget's share for
//              prediction; this follows a burst at once
//   feedback   a factor of the forecast that shrinks when requests took longer than the share and recovers slowly, for
//              what the forecast does not know: parsing, threads that wait for a core
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
  void finish_batch(std::size_t rows, std::size_t units, double seconds);

  /// A request was answered that many seconds after it arrived.
  void finish_request(double now, double seconds);

  double feedback() const { return feedback_; }

 private:
  Options options_;
  double seconds_per_row_unit_ = 0.0;  ///< 0: not measured yet
  double feedback_ = 1.0;
  double last_change_ = 0.0;
  double slowest_ = 0.0;  ///< request since the last change
};

}  // namespace accrete::serve
