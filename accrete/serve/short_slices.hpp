#pragma once
// Threads that take turns on a core quickly.

namespace accrete::serve {

/// Asks the scheduler for short time slices for this thread and those that it will start. With the usual slices of
/// about 3 ms, a request waits until every thread before it has used up its own; with short ones the threads of a
/// server switch more often, which costs throughput. Linux 6.12 and later; elsewhere it does nothing.
void use_short_slices();

}  // namespace accrete::serve
