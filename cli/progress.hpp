#pragma once
// A bar on standard error for work that takes a while. Nothing is drawn unless standard error is a terminal.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.hpp"

namespace accrete::cli {

/// Life: made when the work begins -> update() as often as there is news; drawn after a moment, and at most ten times
/// a second -> erased when destroyed or cleared.
class ProgressBar {
 public:
  explicit ProgressBar(const Common& common);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// text goes after the bar: "120/200 units, loss 0.031".
  void update(std::size_t done, std::size_t total, const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool wanted_;
  bool drawn_ = false;
  std::size_t first_done_ = 0;  ///< where the first update found the work: resumed work does not start at 0
  bool begun_ = false;
  Clock::time_point start_, last_;
};

/// "120/360 fits, 4.5 a second": how many are done, and how fast since the first news of them.
class FitCount {
 public:
  std::string show(std::size_t done, std::size_t total);

 private:
  std::optional<std::pair<std::size_t, std::chrono::steady_clock::time_point>> first_;
};

}  // namespace accrete::cli
