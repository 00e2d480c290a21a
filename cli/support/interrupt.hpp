#pragma once
// Ctrl-C as a flag that long work polls between steps.

#include <string>

namespace accrete::cli {

/// From now on the first SIGINT, SIGTERM or SIGHUP only sets the flag; a second one ends the process.
void catch_interrupts();

bool interrupted();

/// Thrown after partial results are saved. main prints the message and exits with 130.
struct Interrupted {
  std::string message;
};

}  // namespace accrete::cli
