#pragma once
// Predicts the rows of concurrent requests in batches.
//
// There is no batching thread: the thread of a request that finds a free slot becomes the leader, takes the waiting
// requests for the same model and number of units, predicts them together, and passes its slot to the first waiting
// request. So a single client never waits for another thread, and many clients share a pass over the weights.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/serve/dial_controller.hpp"
#include "accrete/serve/served_model.hpp"

namespace accrete::serve {

using Clock = std::chrono::steady_clock;

struct BatcherOptions {
  std::size_t slots = 1;              ///< batches that may run concurrently
  std::size_t max_batch_rows = 1024;  ///< a larger request forms a batch by itself
  double latency = 0.0;               ///< latency budget in seconds per request; 0: none, use all units
  std::size_t min_units = 1;
};

struct Prediction {
  core::Matrix<double> values;
  std::size_t steps = 0;
  std::optional<double> mean_units = {};  ///< per row, with early exit
  std::size_t batch_rows = 0;             ///< of the batch that contained the request
};

/// Thread-safe.
class Batcher {
 public:
  explicit Batcher(const BatcherOptions& options) : options_(options) {}

  struct Job {
    std::shared_ptr<const ServedModel> served;
    core::MatrixView<const float> raw;
    std::optional<std::size_t> steps = {};  ///< unset: the controller chooses, or all steps
    bool exits = false;                     ///< early exit; rows that do not stop use all units
    Clock::time_point arrived = Clock::now();
  };

  /// Blocks until the rows are predicted. Throws as model::predict_raw does.
  Prediction predict(const Job& job);

  /// Reports to the controller how long a request took, from arrival to reply.
  void finish_request(const ServedModel& served, Clock::time_point arrived);

  std::size_t waiting_rows() const;

 private:
  struct Waiting {
    explicit Waiting(const Job* given) : job(given) {}

    const Job* job;
    bool leads = false;  ///< holds a slot
    bool taken = false;  ///< was added to a batch
    bool done = false;
    Prediction prediction = {};
    std::exception_ptr error = {};
    std::condition_variable changed = {};
  };
  using Batch = std::vector<std::shared_ptr<Waiting>>;
  struct Dial {
    std::weak_ptr<const ServedModel> served;
    DialController controller;
  };

  void lead(std::unique_lock<std::mutex>& lock, const Waiting& own);
  Batch take_batch();
  std::size_t choose_steps(const Job& first, Clock::time_point now);
  static void run(const Batch& batch, std::size_t steps, std::size_t rows);
  DialController& dial(const std::shared_ptr<const ServedModel>& served);

  const BatcherOptions options_;
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<Waiting>> queue_;
  std::size_t queued_rows_ = 0, leaders_ = 0;
  std::map<const ServedModel*, Dial> dials_;
};

}  // namespace accrete::serve
