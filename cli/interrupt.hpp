#pragma once
// Ctrl-C as a question that long work asks between steps, instead of an end in the middle of one.

#include <string>

namespace accrete::cli {

/// From here on the first SIGINT, SIGTERM or SIGHUP only sets a flag; a second one ends the process as usual.
void catch_interrupts();

bool interrupted();

/// Thrown once the work in hand is put away. main prints the message and exits with 130.
struct Interrupted {
  std::string message;
};

}  // namespace accrete::cli
