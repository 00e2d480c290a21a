#pragma once
// A progress bar on standard error. Nothing is drawn unless standard error is a terminal.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.hpp"

namespace accrete::cli {

/// Create it when the work begins, call update() at any rate; it is drawn after 0.3 s, at most ten times per second,
/// and erased by clear() or the destructor.
class ProgressBar {
 public:
  explicit ProgressBar(const Common& common);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `text` follows the bar: "120/200 units, loss 0.031".
  void update(std::size_t done, std::size_t total, const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool wanted_;
  bool drawn_ = false;
  std::size_t first_done_ = 0;  ///< `done` of the first update: resumed work does not start at 0
  bool begun_ = false;
  Clock::time_point start_, last_;
};

/// "120/360 fits, 4.5 per second": progress, and the rate since the first call.
class FitCount {
 public:
  std::string show(std::size_t done, std::size_t total);

 private:
  std::optional<std::pair<std::size_t, std::chrono::steady_clock::time_point>> first_;
};

}  // namespace accrete::cli
