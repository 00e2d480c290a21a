#pragma once
// Makes threads that share a core alternate quickly.

namespace accrete::serve {

/// Requests short time slices for this thread and threads it starts later. With the usual slices of about 3 ms, a
/// request waits until every thread ahead of it has used up its slice; with short slices the threads of a server switch
/// more often, at the cost of throughput. Linux 6.12 and later; no effect elsewhere.
void use_short_slices();

}  // namespace accrete::serve
