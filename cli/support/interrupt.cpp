#include "cli/support/interrupt.hpp"

#include <csignal>

namespace accrete::cli {
namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void remember_signal(int) {
  caught = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = remember_signal;
  // RESETHAND: a second signal gets the default action. RESTART: interrupted reads continue.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};  // nohup ignores SIGHUP; keep it so
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() {
  return caught != 0;
}

}  // namespace accrete::cli
