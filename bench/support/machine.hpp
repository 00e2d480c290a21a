#pragma once
// What a figure belongs to: the processor, its threads, the commit.

#include <string>

namespace accrete::bench {

/// "Neoverse-V2, 64 threads, SVE2; commit 1a2b3c4"; a + after the commit: the checkout differs from it.
std::string machine();

/// The largest amount of memory this process has had resident, in bytes.
double peak_memory();

/// Resident now, in bytes; 0 where the system does not tell.
double resident_memory();

}  // namespace accrete::bench
