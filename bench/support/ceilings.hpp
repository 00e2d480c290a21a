#pragma once
// What this machine can do at most, measured: arithmetic from registers, and reading memory of a given size.

#include <cstddef>

namespace accrete::bench {

/// Float operations a second of one thread: independent multiply-adds on full vectors, two operations each, all in
/// registers. The best of several batches of about this many seconds.
double fma_ceiling(double seconds);

/// Bytes a second that one thread reads, over and over, from a buffer of this size; so a small one is a cache's figure.
double read_ceiling(std::size_t bytes, double seconds);

/// The instruction set that Highway chose here, as the kernels of the library do.
const char* instruction_set();

}  // namespace accrete::bench
