#include "cli/support/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace accrete::cli {
namespace {

constexpr unsigned first_wait = 1, second_wait = 4;  // seconds

volatile std::sig_atomic_t caught = 0;   ///< a signal has arrived
volatile std::sig_atomic_t polled = 0;   ///< the work has seen it
volatile std::sig_atomic_t waited = 0;   ///< the second wait has started
volatile std::sig_atomic_t results = 0;  ///< there are results to save

extern "C" void remember_signal(int signal) {
  caught = signal;
  ::alarm(first_wait);
}

/// Only write, alarm and _exit are async-signal-safe here.
void write_line(std::string_view line) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

extern "C" void handle_alarm(int) {
  if (results) {
    if (!polled) write_line("accrete: stopping after this step; press Ctrl-C again to stop at once\n");
    return;
  }
  if (polled && !waited) {
    waited = 1;
    ::alarm(second_wait);
    return;
  }
  write_line("accrete: stopped by "), write_line(interrupt_name()), write_line("; no output was written\n");
  ::_exit(130);
}

/// Handles an unreadable page of a mapped file.
extern "C" void handle_bus_error(int) {
  write_line(
      "accrete: a data file became shorter while it was read, or a disk failed; run again once the file is complete\n");
  ::_exit(1);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  handle(SIGALRM, handle_alarm, SA_RESTART);
  // RESETHAND: a second signal gets the default action. RESTART: interrupted reads continue.
  const int flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  handle(SIGINT, remember_signal, flags);
  handle(SIGTERM, remember_signal, flags);
  struct sigaction before {};  // keep SIGHUP ignored under nohup
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) handle(SIGHUP, remember_signal, flags);
}

void report_bus_errors() {
  handle(SIGBUS, handle_bus_error, 0);
}

bool interrupted() {
  if (caught) polled = 1;
  return caught != 0;
}

void keep_results() {
  results = 1;
}

const char* interrupt_name() {
  return caught == SIGTERM ? "SIGTERM" : caught == SIGHUP ? "SIGHUP" : "Ctrl-C";
}

}  // namespace accrete::cli
