#pragma once
// A progress bar on standard error. Nothing is drawn unless standard error is a terminal.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "accrete/boosting/choose/time_left.hpp"
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

  /// For counted work. `text` follows the bar: "3/10 fits".
  void update(std::size_t done, std::size_t total, const std::string& text);
  /// For a fit that estimates its time; NaN: unknown. The bar shows the share of the time since it was created.
  void update(double seconds_left, const std::string& text);
  /// Draws the text at once, without an estimate, before work that reports nothing.
  void announce(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_due();
  void draw(double share, const std::string& text);

  bool wanted_;
  bool drawn_ = false;
  std::size_t first_done_ = 0;  ///< `done` of the first update: resumed work does not start at 0
  bool begun_ = false;
  double share_ = 0.0;  ///< shown; never falls
  boosting::TimeLeft time_;
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
