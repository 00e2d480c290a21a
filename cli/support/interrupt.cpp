#include "cli/support/interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "accrete/io/atomic_file.hpp"

namespace accrete::cli {
namespace {

constexpr unsigned first_wait = 1, second_wait = 4;  // seconds

volatile std::sig_atomic_t caught = 0;   ///< a signal has arrived
volatile std::sig_atomic_t polled = 0;   ///< the work has seen it
volatile std::sig_atomic_t waited = 0;   ///< the second wait has started
volatile std::sig_atomic_t results = 0;  ///< there are results to save
volatile std::sig_atomic_t printed = 0;  ///< a part of the results is on standard output

extern "C" void remember_signal(int signal) {
  if (caught) {
    io::remove_temporary_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  caught = signal;
  ::alarm(first_wait);
}

const char* lost_results() {
  return printed ? "the output is incomplete" : "no output was written";
}

/// Only write, unlink, alarm, signal, raise and _exit are async-signal-safe here.
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
  io::remove_temporary_files();
  write_line("accrete: stopped by "), write_line(interrupt_name());
  write_line("; "), write_line(lost_results()), write_line("\n");
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
  const int flags = SA_RESTART;  // interrupted reads continue
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

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted{fmt::format("stopped by {}; {}", interrupt_name(), lost_results())};
}

void output_begins() {
  printed = 1;
}

void keep_results() {
  results = 1;
}

const char* interrupt_name() {
  return caught == SIGTERM ? "SIGTERM" : caught == SIGHUP ? "SIGHUP" : "Ctrl-C";
}

}  // namespace accrete::cli
