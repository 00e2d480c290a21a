#pragma once
// Handles Ctrl-C by a flag that long-running work polls between steps.

#include <string>

namespace accrete::cli {

/// Installs the handlers: the first SIGINT, SIGTERM or SIGHUP sets the flag; a second one ends the process. If the work
/// does not poll within a second of the first signal, or does not end within a few seconds of polling, the process ends
/// with exit code 130 and a message, unless there are results to save. In both cases no temporary file is left.
void catch_interrupts();

/// Makes SIGBUS, raised when a mapped file is truncated, end the process with exit code 1 and a message.
void report_bus_errors();

bool interrupted();

/// Throws Interrupted if a signal has arrived: for work that has no results to save.
void stop_if_interrupted();

/// Declares that results were written to standard output, which an interrupt would leave incomplete.
void output_begins();

/// Declares that an interrupt must save results; if the work then does not poll within a second, only a message is
/// printed.
void keep_results();

/// The signal that stopped the command: "Ctrl-C", "SIGTERM" or "SIGHUP".
const char* interrupt_name();

/// Thrown after partial results are saved, or if there are none. main prints the message and exits with 130.
struct Interrupted {
  std::string message;
};

}  // namespace accrete::cli
