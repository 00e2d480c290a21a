#pragma once
// Ctrl-C as a flag that long work polls between steps.

#include <string>

namespace accrete::cli {

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the flag; a second one ends the process. Work that does not
/// poll within a second of the first one, or does not end within a few seconds of polling, ends the process with exit
/// code 130 and a message, unless there are results to save.
void catch_interrupts();

/// From now on SIGBUS, the signal of a mapped file that became shorter, ends the process with exit code 1 and a
/// message.
void report_bus_errors();

bool interrupted();

/// There are results that an interrupt saves: a second without polling is then answered with a message only.
void keep_results();

/// What stopped the command: "Ctrl-C", "SIGTERM" or "SIGHUP".
const char* interrupt_name();

/// Thrown after partial results are saved. main prints the message and exits with 130.
struct Interrupted {
  std::string message;
};

}  // namespace accrete::cli
