#include "cli/support/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/support/interrupt.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

constexpr std::size_t cells = 24;
constexpr auto first_delay = std::chrono::milliseconds(300);
constexpr auto redraw_delay = std::chrono::milliseconds(100);

/// The bar must fit on one line, because a wrapped line cannot be erased.
std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressBar::ProgressBar(const Common& common) : wanted_(!common.quiet && isatty(STDERR_FILENO)), start_(Clock::now()) {
  last_ = start_ + first_delay - redraw_delay;
}

bool ProgressBar::is_due() {
  const auto now = Clock::now();
  if (!wanted_ || now - last_ < redraw_delay) return false;
  last_ = now;
  return true;
}

void ProgressBar::draw(double share, const std::string& text) {
  share_ = std::clamp(share, share_, 1.0);
  const auto full = static_cast<std::size_t>(share_ * static_cast<double>(cells));
  std::string line =
      fmt::format("[{}{}] {:3.0f} %  {}", std::string(full, '#'), std::string(cells - full, '.'), 100.0 * share_, text);
  line.resize(std::min(line.size(), terminal_width() - 1));
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::update(std::size_t done, std::size_t total, const std::string& text) {
  if (!begun_) first_done_ = done;
  begun_ = true;
  const double left =
      time_.at({static_cast<double>(done - first_done_), static_cast<double>(total - first_done_)}).seconds_left;
  if (total == 0 || !is_due()) return;
  const std::string rest = std::isnan(left) ? "" : ", " + show_seconds(left) + " left";
  draw(static_cast<double>(done) / static_cast<double>(total), text + rest);
}

void ProgressBar::update(double seconds_left, const std::string& text) {
  if (!is_due()) return;
  if (std::isnan(seconds_left)) return draw(0.0, text);
  const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
  draw(spent / (spent + seconds_left), text + ", " + show_seconds(seconds_left) + " left");
}

void ProgressBar::announce(const std::string& text) {
  if (wanted_) draw(0.0, text);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

WorkProgress::WorkProgress(const Common& common, core::Workers& workers, const std::string& text,
                           const comm::Communicator& comm)
    : bar_(common), workers_(workers) {
  workers.observe([this, text, is_alone = comm.size() == 1](std::size_t done, std::size_t tasks) {
    if (is_alone) stop_if_interrupted();
    bar_.update(done, tasks, text);
  });
}

std::string FitCount::show(std::size_t done, std::size_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (!first_) first_ = {done, now};
  const double seconds = std::chrono::duration<double>(now - first_->second).count();
  std::string text = fmt::format("{}/{} fits", done, total);
  if (done > first_->first)
    text += fmt::format(", {:.3g} per second", static_cast<double>(done - first_->first) / seconds);
  return text;
}

}  // namespace accrete::cli
