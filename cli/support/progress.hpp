#pragma once
// A progress bar on standard error, drawn only on a terminal.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "accrete/boosting/choose/time_left.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// Create it when the work starts and call update() at any rate. It appears after 0.3 s, is redrawn at most ten times
/// per second, and is erased by clear() or the destructor.
class ProgressBar {
 public:
  explicit ProgressBar(const Common& common);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// For counted work. `text` follows the bar: "3/10 fits".
  void update(std::size_t done, std::size_t total, const std::string& text);
  /// For a fit with a time estimate; NaN: unknown. The bar shows the share of the total time that has passed.
  void update(double seconds_left, const std::string& text);
  /// Draws the text immediately, without an estimate, before work that does not report progress.
  void announce(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_due();
  void draw(double share, const std::string& text);

  bool wanted_;
  bool drawn_ = false;
  std::size_t first_done_ = 0;  ///< `done` in the first update; not 0 for resumed work
  bool begun_ = false;
  double share_ = 0.0;  ///< share shown; never falls
  boosting::TimeLeft time_;
  Clock::time_point start_, last_;
};

/// Shows the progress of one loop over the rows, and ends it by Interrupted after Ctrl-C. Destroy it before the workers
/// do other work.
class WorkProgress {
 public:
  /// With several ranks, Ctrl-C does not end the loop, because the other ranks would wait for this one.
  WorkProgress(const Common& common, core::Workers& workers, const std::string& text,
               const comm::Communicator& comm = comm::one_process());
  ~WorkProgress() { workers_.observe({}); }
  WorkProgress(const WorkProgress&) = delete;
  WorkProgress& operator=(const WorkProgress&) = delete;

 private:
  ProgressBar bar_;
  core::Workers& workers_;
};

/// "120/360 fits, 4.5 per second": progress, and the rate since the first call.
class FitCount {
 public:
  std::string show(std::size_t done, std::size_t total);

 private:
  std::optional<std::pair<std::size_t, std::chrono::steady_clock::time_point>> first_;
};

}  // namespace accrete::cli
